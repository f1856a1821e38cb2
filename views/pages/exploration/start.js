// In the order of the page.
say_what_this_is();
say_what_is_best();
start_table();
start_charts();
