"""`sfpusim exec` as a program asks it: requests in, answers out, all in one process. The program is the first argument."""
import json
import subprocess
import sys

from checks import check

SFPUSIM = sys.argv[1]


def converse(requests, *options):
    """The answers to the requests, one for each."""
    data = "".join(json.dumps(request) + "\n" for request in requests)
    process = subprocess.run([SFPUSIM, *options, "exec"], input=data, capture_output=True, text=True, timeout=250)
    check(process.returncode == 0 and process.stderr == "", "exec ends well: %r" % process.stderr[:200])
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    check(len(answers) == len(requests), "one answer for each request")
    return answers


def ask(request, *options):
    return converse([request], *options)[0]


def refused(request, code, *mentions):
    """The request is refused with the code, and the message names what is wrong."""
    answer = ask(request)
    check(answer["ok"] is False, "%s is refused" % str(request)[:100])
    error = answer.get("error", {})
    check(error.get("code") == code, "code %s, got %s" % (code, error))
    for mention in mentions:
        check(mention in error.get("message", ""), "%r is mentioned: %s" % (mention, error))
    return answer
