"""What the scripts that use the program share: checks that go on after a failure, and the run of a script's tests.

    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
    from checks import check, run_tests
"""
FAILURES = []


def check(condition, what):
    """Notes and prints a failure unless the condition holds; `what` is the sentence that should be true."""
    if not condition:
        FAILURES.append(what)
        print("FAILED: " + what)


def run_tests(tests):
    """Runs functions without parameters, prints a line for each, and returns the exit code of the script."""
    for test in tests:
        before = len(FAILURES)
        try:
            test()
        except Exception as error:  # a broken output must not hide the other tests
            check(False, "%s: %s: %s" % (test.__name__, type(error).__name__, error))
        print("%-75s %s" % (test.__name__, "ok" if len(FAILURES) == before else "FAILED"))
    return 1 if FAILURES else 0
