#!/usr/bin/env python3
"""`sfpusim explore --executor slurm` on a real Slurm: the same bytes as without it, whatever is killed on the way."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402
from explore_files import SLOW, read, timed_kernel, write  # noqa: E402
from slurm_cluster import missing_programs, slurm_cluster  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])
CLUSTER = None
# Seconds until something that should happen counts as never. Slurm itself may take two minutes: a controller that has lost touch with a
# task asks the node for it now and then only. And sanitizers slow the program down ten times.
PATIENCE = 300
RESULTS = ("results.csv", "results.jsonl", "report.html")

TIMED = timed_kernel(rows=2000)
SWEEP = {"kernels": ["timed.s"], "parameters": {"sfpu.latency.mad": {"from": 1, "to": 4}, "macro.slots": {"from": 1, "to": 6}}}
POINTS = 24


def start(output, *options, executor="slurm", sweep=SWEEP, environment=None):
    write("sweep.json", sweep)
    return subprocess.Popen([SFPUSIM, "explore", "sweep.json", "--output", output, "--executor", executor, *options],
                            env=environment or CLUSTER.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, universal_newlines=True)


def explore(output, *options, **how):
    process = start(output, *options, **how)
    process.stdout_text, process.stderr_text = process.communicate(timeout=PATIENCE)
    return process


def recorded(output):
    """Names of the recorded points, with what tells one recording from another."""
    folder = output + "/points"
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return {name: (os.stat(folder + "/" + name).st_mtime_ns, os.stat(folder + "/" + name).st_ino)
            for name in names if name.endswith(".json")}


def is_whole(output):
    return len(recorded(output)) == POINTS


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            check(False, what)
            return
        time.sleep(0.05)


def queue():
    return CLUSTER.asked("squeue", "--noheader", "--array", "--format=%i %T %j").splitlines()


def no_recorded_point_ran_again(before, output, when):
    after = recorded(output)
    for name, stamp in before.items():
        check(after.get(name) == stamp, "%s: a recorded point is not run again" % when)


def is_as_local(output, when):
    for name in RESULTS:
        check(os.path.exists(output + "/" + name) and read(output + "/" + name) == read("local/" + name),
              "%s: %s is the same to the byte" % (when, name))
    check(not os.path.exists(output + "/slurm"), "%s: nothing of the array is left in the folder" % when)


def a_job_array_gives_the_same_bytes():
    check(explore("local", executor="local").returncode == 0, "the local executor")
    done = explore("array", "--points-per-task", "5", "--jobs", "3")
    check(done.returncode == 0, "exit code 0, got %d: %s" % (done.returncode, done.stderr_text))
    check("24 points in an array of 5 tasks" in done.stdout_text, "five points a task: %r" % done.stdout_text)
    is_as_local("array", "undisturbed")
    again = explore("array")
    check("24 known" in again.stdout_text and "job " not in again.stdout_text, "nothing is left: %r" % again.stdout_text)


def points_that_fail_have_the_rows_of_the_local_executor():
    write("wrong.s", ".loop\n    sfpfoo\n")
    sweep = {"kernels": ["timed.s", "wrong.s", "missing.s", "slow.s"], "limits": {"seconds": 5}}
    local = explore("local_failing", executor="local", sweep=sweep)
    array = explore("failing", sweep=sweep)
    check(array.returncode == local.returncode == 2, "exit code 2, got %d: %s" % (array.returncode, array.stderr_text))
    for name in RESULTS:
        check(read("failing/" + name) == read("local_failing/" + name), "failures: %s is the same" % name)
    check(b"not finished after 5 seconds" in read("failing/results.csv"), "the limit of time holds for each point")
    again = explore("failing", "--retry-failed", sweep=sweep)
    check("1 known" in again.stdout_text and again.returncode == 2, "--retry-failed: %r" % again.stderr_text)
    check(read("failing/results.csv") == read("local_failing/results.csv"), "and fails in the same way")


def an_array_outlives_its_submitter():
    submitter = start("orphan", "--points-per-task", "4")
    wait_until(lambda: len(recorded("orphan")) >= 3, "points come")
    submitter.kill()
    submitter.communicate()
    before = recorded("orphan")
    check(len(before) < POINTS, "it was killed in the middle")
    wait_until(lambda: len(recorded("orphan")) > len(before), "the array goes on without it")
    before = recorded("orphan")
    follower = explore("orphan", "--points-per-task", "4")
    check(follower.returncode == 0, "the follower: %r" % follower.stderr_text)
    check("job " not in follower.stdout_text, "it submits nothing, it follows: %r" % follower.stdout_text)
    no_recorded_point_ran_again(before, "orphan", "follower")
    is_as_local("orphan", "submitter killed")


def an_interrupted_follower_says_how_to_go_on():
    follower = start("stopped", "--points-per-task", "4")
    wait_until(lambda: recorded("stopped"), "points come")
    follower.send_signal(signal.SIGINT)
    said = follower.communicate()[1]
    check(follower.returncode == 130 and "scancel" in said and "goes on" in said, "Ctrl-C: %d %r" % (follower.returncode, said))
    name = said.partition("scancel --name=")[2].partition("'")[0]
    check(any(line.endswith(name) for line in queue()), "the array is in the queue")
    CLUSTER.asked("scancel", "--name=" + name)
    wait_until(lambda: not queue(), "and ends as it says")
    before = recorded("stopped")
    check(len(before) < POINTS, "points are left")
    wider = dict(SWEEP, parameters=dict(SWEEP["parameters"], **{"macro.slots": {"from": 1, "to": 7}}))
    check(explore("stopped", "--points-per-task", "7", sweep=wider).returncode == 0, "a wider sweep")
    no_recorded_point_ran_again(before, "stopped", "wider sweep")
    check(explore("stopped").returncode == 0, "the sweep as it was")
    is_as_local("stopped", "array cancelled")


def task_processes(output):
    """The processes of tasks, found by what they were called with; not those of points, whose parents they are."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = read("/proc/%s/cmdline" % name).split(b"\0")
            if b"--slurm-task" in words and any(word.endswith(b"/" + output.encode()) for word in words):
                found[int(name)] = int(read("/proc/%s/stat" % name).rpartition(b")")[2].split()[1])
        except OSError:
            continue
    return [process for process, parent in found.items() if parent not in found]


def point_processes(output):
    """The processes of points, which are children of tasks."""
    tasks = set(task_processes(output))
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if int(read("/proc/%s/stat" % name).rpartition(b")")[2].split()[1]) in tasks:
                found.append(int(name))
        except OSError:
            continue
    return found


def kill_task(output):
    def is_killed():
        try:
            for process in task_processes(output)[:1]:
                os.kill(process, signal.SIGKILL)
                return True
        except ProcessLookupError:  # it has just come to its end
            pass
        return False

    wait_until(lambda: is_killed() or is_whole(output), "a task runs")


def administer():
    """A controller that dies within five seconds of a task's start forgets it, starts it again, hears that it runs, and drains the
    node; bringing the node back is its administrator's work."""
    if CLUSTER.asked("sinfo", "--noheader", "--partition=usual", "--format=%T").startswith("drain"):
        CLUSTER.asked("scontrol", "update", "NodeName=node", "State=RESUME")


def whatever_is_killed_nothing_is_lost():
    def cancel_task(output):
        wait_until(lambda: any("RUNNING" in line for line in queue()) or is_whole(output), "a task runs")
        for line in queue():
            if "RUNNING" in line:
                CLUSTER.asked("scancel", "--signal=KILL", line.split()[0])
                return

    def kill_daemon(name):
        def kill(unused):
            CLUSTER.kill(name)
            time.sleep(0.3)
            CLUSTER.run_daemon(name)
        return kill

    task = ("a task", kill_task)
    other = ("another task", cancel_task)
    node = ("slurmd", kill_daemon("slurmd"))
    controller = ("slurmctld", kill_daemon("slurmctld"))
    runs = [[task, node, other]]
    if "SFPU_NIGHTLY" in os.environ:
        runs += [[each] for each in (task, other, node, controller)] + [[node, task, other, node], [task, controller, node, controller]] * 10
    for number, kills in enumerate(runs):
        output = "killed%d" % number
        follower = start(output, "--points-per-task", "3")
        before, killed = {}, 0
        for what, kill in kills:
            wait_until(lambda: administer() or len(recorded(output)) >= len(before) + 2 or follower.poll() is not None,
                       "%s: points come" % what)
            no_recorded_point_ran_again(before, output, "before " + what)
            before = recorded(output)
            if len(before) == POINTS:
                break  # who restarts a daemon can be slower than the tasks that are left
            kill(output)
            killed += 1
        end = time.monotonic() + PATIENCE
        while follower.poll() is None and time.monotonic() < end:
            administer()
            time.sleep(0.3)
        if follower.poll() is None:
            follower.kill()
            CLUSTER.asked("scancel", "--user=" + CLUSTER.user())
        said = follower.communicate()[1]
        what = ", ".join(name for name, kill in kills[:killed])
        check(killed, "something is killed in the middle")
        check(follower.returncode == 0, "%s killed: exit code %s: %r" % (what, follower.returncode, said))
        no_recorded_point_ran_again(before, output, what)
        is_as_local(output, what + " killed")


def a_task_that_dies_with_its_point_is_told():
    """As when a point needs more memory than the node has and takes its task along."""
    def starts():
        return sum(len(read(name).splitlines()) for name in glob.glob("deadly/slurm/*/*.started"))

    follower = start("deadly", sweep={"kernels": ["timed.s", "slow.s"]})
    for killed in range(3):
        # The task of the quick point may still be there.
        wait_until(lambda: starts() == 2 + killed and recorded("deadly") and len(task_processes("deadly")) == 1,
                   "the slow point begins")
        kill_task("deadly")
    said = follower.communicate(timeout=PATIENCE)[1]
    check(follower.returncode == 2, "exit code 2, got %s: %r" % (follower.returncode, said))
    rows = read("deadly/results.csv").decode()
    check("its Slurm task ended before it did" in rows and rows.count(",ok,") == 1, "the row says so: %s" % rows)


def a_point_that_is_ended_with_its_task_has_not_failed():
    """Slurm ends all processes of a job, one after the other: a point can be ended before its task is."""
    write("long.s", timed_kernel(rows=1500000))
    sweep = {"kernels": ["long.s"], "limits": {"seconds": 200}}
    check(explore("long_local", executor="local", sweep=sweep).returncode == 0, "the local executor")
    follower = start("ended", sweep=sweep)
    wait_until(lambda: point_processes("ended") or follower.poll() is not None, "the point begins")
    tasks, points = task_processes("ended"), point_processes("ended")
    check(tasks and points, "a point is running")
    for process in points:
        os.kill(process, signal.SIGTERM)
    time.sleep(0.3)
    for process in tasks:
        os.kill(process, signal.SIGTERM)
    said = follower.communicate(timeout=PATIENCE)[1]
    check(follower.returncode == 0, "the point was run again: exit code %s: %r" % (follower.returncode, said))
    check(read("ended/results.csv") == read("long_local/results.csv"), "with the result of the local executor")


def what_slurm_refuses_is_told():
    done = explore("refused", "--partition", "nowhere")
    check(done.returncode == 1 and "nowhere" in done.stderr_text, "a wrong partition: %r" % done.stderr_text)
    done = explore("refused", "--sbatch=--mem=900000G")
    check(done.returncode == 1 and "Memory" in done.stderr_text, "sbatch's words: %r" % done.stderr_text)
    check(not os.path.exists("refused/slurm"), "nothing is left of what was refused")
    done = explore("refused", executor="local", environment=os.environ.copy())
    check(done.returncode == 0, "and the local executor goes on: %r" % done.stderr_text)
    done = explore("absent", environment=dict(CLUSTER.environment, PATH="/nowhere"))
    check(done.returncode == 1 and "sbatch: not found" in done.stderr_text, "no Slurm: %r" % done.stderr_text)
    done = explore("absent", "--partition", "other", executor="local")
    check(done.returncode == 1 and "--executor slurm" in done.stderr_text, "options of another executor: %r" % done.stderr_text)
    done = explore("other", "--partition", "other", "--sbatch=--comment=x", sweep={"kernels": ["timed.s"]})
    check(done.returncode == 0, "another partition: %r" % done.stderr_text)


def tasks_that_cannot_begin_are_told():
    """The folder cannot be found where the tasks run."""
    done = explore("vain", "--sbatch=--chdir=/", sweep={"kernels": ["timed.s"]})
    check(done.returncode == 1 and "has changed since" in done.stderr_text, "the log of a task is cited: %r" % done.stderr_text)


if __name__ == "__main__":
    if missing_programs():
        print("not installed: %s; ./setup --all" % ", ".join(missing_programs()))
        sys.exit(77)
    folder = tempfile.mkdtemp()
    code = 1
    try:
        os.chmod(folder, 0o755)
        os.chdir(folder)
        write("timed.s", TIMED)
        write("slow.s", SLOW)
        with slurm_cluster(cpus=4) as CLUSTER:
            tests = [tasks_that_cannot_begin_are_told] if "SFPU_NIGHTLY" in os.environ else []
            tests += [a_job_array_gives_the_same_bytes, points_that_fail_have_the_rows_of_the_local_executor,
                     an_array_outlives_its_submitter, an_interrupted_follower_says_how_to_go_on,
                     a_task_that_dies_with_its_point_is_told, a_point_that_is_ended_with_its_task_has_not_failed, what_slurm_refuses_is_told,
                     whatever_is_killed_nothing_is_lost]  # last: it leaves a cluster that has seen better days
            if INSTRUMENTED:  # what is killed and when depends on time, which sanitizers stretch
                tests = [a_job_array_gives_the_same_bytes, what_slurm_refuses_is_told]
            if len(sys.argv) > 3:
                tests = [test for test in tests if test.__name__ in sys.argv[3:]]
            code = run_tests(tests)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    sys.exit(code)
