#!/usr/bin/env python3
"""A Slurm cluster of one node on this machine, for tests: munged, slurmctld and slurmd from Debian's packages, with everything
that they write in a scratch folder, on free ports, without systemd, cgroups or anything of the system's own Slurm.

    with slurm_cluster(cpus=4) as cluster:
        subprocess.run(["sbatch", ...], env=cluster.environment)

    python3 slurm_cluster.py COMMAND...     runs a command with such a cluster, by hand

All processes end with the block, jobs too, and the folder goes. The process that has a cluster must not mind becoming the parent of
orphans.
"""
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

CONFIGURATION = """\
ClusterName=scratch
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
ReturnToService=2
InactiveLimit=0
KillWait=2
MessageTimeout=5
SlurmctldTimeout=60
SlurmdTimeout=15
MaxArraySize=1001
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=usual Nodes=node Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=node MaxTime=INFINITE State=UP
"""


def missing_programs():
    return [program for program in PROGRAMS if shutil.which(program, path=PATH) is None]


def process_control(option, value):
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def children_of(parent):
    """Living processes of a parent, and those that nobody has waited for."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as file:
                    after_name = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(after_name[1]) == parent:
                found.append(int(name))
    return found


class slurm_cluster:
    def __init__(self, cpus=4):
        self.cpus = cpus
        self.daemons = {}

    def __enter__(self):
        process_control(PR_SET_CHILD_SUBREAPER, 1)  # orphans of the daemons become ours, so that they can be ended
        self.others = set(children_of(os.getpid()))
        self.folder = tempfile.mkdtemp(prefix="slurm-")
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *unused):
        self.stop()

    def start(self):
        os.chmod(self.folder, 0o755)
        for name in ("state", "spool"):
            os.mkdir(os.path.join(self.folder, name))
        controller_port, node_port = free_ports(2)
        configuration = os.path.join(self.folder, "slurm.conf")
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=self.user(), folder=self.folder,
                                            controller_port=controller_port, node_port=node_port, cpus=self.cpus))
        key = os.path.join(self.folder, "munge.key")
        with open(key, "wb") as file:
            file.write(os.urandom(128))
        os.chmod(key, 0o400)
        self.environment = dict(os.environ, SLURM_CONF=configuration, PATH=PATH)
        self.run_daemon("munged")
        self.wait_for("munged", lambda: os.path.exists(os.path.join(self.folder, "munge.socket")))
        self.run_daemon("slurmctld")
        self.run_daemon("slurmd")
        self.wait_for("the node", lambda: self.asked("sinfo", "-h", "-p", "usual", "-o", "%T") in ("idle", "mixed", "allocated"))

    @staticmethod
    def user():
        import pwd
        return pwd.getpwuid(os.geteuid()).pw_name

    def run_daemon(self, name):
        """Also again, after kill()."""
        where = lambda file: os.path.join(self.folder, file)
        command = {"munged": ["munged", "--foreground", "--key-file=" + where("munge.key"), "--socket=" + where("munge.socket"),
                              "--pid-file=" + where("munge.pid"), "--log-file=" + where("munge.log"),
                              "--seed-file=" + where("munge.seed")],
                   "slurmctld": ["slurmctld", "-D"],
                   "slurmd": ["slurmd", "-D", "-N", "node"]}[name]
        command[0] = shutil.which(command[0], path=PATH)
        with open(where(name + ".out"), "ab") as output:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                                  stdout=output, stderr=output,
                                                  preexec_fn=lambda: process_control(PR_SET_PDEATHSIG, signal.SIGKILL))

    def kill(self, name):
        """SIGKILL, as a machine that fails."""
        self.daemons[name].kill()
        self.daemons[name].wait()

    def asked(self, *command):
        """What a command of Slurm prints; nothing if it fails."""
        done = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    def wait_for(self, what, condition, seconds=40):
        end = time.monotonic() + seconds
        while not condition():
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise RuntimeError("%s has ended:\n%s" % (name, self.log(name)))
            if time.monotonic() > end:
                raise RuntimeError("%s did not come up:\n%s" % (what, "".join(map(self.log, self.daemons))))
            time.sleep(0.05)

    def log(self, name):
        text = ""
        for file in (name + ".out", name.replace("munged", "munge") + ".log"):
            try:
                with open(os.path.join(self.folder, file), errors="replace") as content:
                    text += "%s:\n%s" % (file, content.read()[-2000:])
            except OSError:
                pass
        return text

    def stop(self):
        for daemon in self.daemons.values():
            if daemon.poll() is None:
                daemon.kill()
            daemon.wait()
        # Jobs and the daemons' own helpers are orphans now, thus children of this process.
        end = time.monotonic() + 10
        while time.monotonic() < end:
            rest = set(children_of(os.getpid())) - self.others
            if not rest:
                break
            for process in rest:
                try:
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, 0)
                except (ProcessLookupError, ChildProcessError):
                    pass
        shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    if missing_programs():
        sys.exit("slurm_cluster: not installed: %s; ./setup --all" % ", ".join(missing_programs()))
    if len(sys.argv) < 2:
        sys.exit("usage: slurm_cluster.py COMMAND...")
    with slurm_cluster() as the_cluster:
        code = subprocess.run(sys.argv[1:], env=the_cluster.environment).returncode
    sys.exit(code)
