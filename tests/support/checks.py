"""What the scripts that use the program share: checks that go on after a failure, and the run of a script's tests.

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
    from checks import INSTRUMENTED, check, run_tests
"""
import os
import resource

FAILURES = []
# Code with sanitizers in it is up to ten times slower, and they need to see each path once, not each number.
INSTRUMENTED = "SFPU_INSTRUMENTED" in os.environ


def processor_seconds():
    """What this script and the programs that it has waited for have used."""
    return sum(used.ru_utime + used.ru_stime
               for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def check(condition, what):
    """Notes and prints a failure unless the condition holds; `what` is the sentence that should be true."""
    if not condition:
        FAILURES.append(what)
        print("FAILED: " + what)


def run_tests(tests):
    """Runs functions without parameters, prints a line for each, with the processor time that it took, and returns the exit
    code of the script."""
    for test in tests:
        before, began = len(FAILURES), processor_seconds()
        try:
            test()
        except Exception as error:  # a broken output must not hide the other tests
            check(False, "%s: %s: %s" % (test.__name__, type(error).__name__, error))
        print("%-75s %-6s %6.1f s" % (test.__name__, "ok" if len(FAILURES) == before else "FAILED", processor_seconds() - began))
    return 1 if FAILURES else 0
