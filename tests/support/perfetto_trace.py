"""Reads the traces that `--perfetto` writes.

It was written from Perfetto's public schema (protos/perfetto/trace/) and page "Encoding" of protobuf; it shares nothing with
the writer. A malformed trace raises ValueError.
"""
import bisect
import struct
import zlib
from fractions import Fraction


class Trace:
    """processes: {pid: name}. threads: {(pid, tid): (name, sort index)}. slices and instants: lists of (pid, tid, begin, end
    or None, name, categories, args). arrows: list of (name, category, (pid, tid, time) of both ends). counters: list of
    (name, time, value), without values that repeat the one before. Times are in picoseconds of the model."""

    def __init__(self):
        self.processes, self.threads, self.about = {}, {}, []
        self.slices, self.instants, self.arrows, self.counters = [], [], [], []
        self._counts = {}

    def count(self, name, time, value):
        if self._counts.get(name) != value:
            self._counts[name] = value
            self.counters.append((name, time, value))


def require(condition, what):
    if not condition:
        raise ValueError(what)


VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            require(value < 1 << 64, "a varint of more than 64 bits")
            return value, at


def fields(data):
    """(number, wire type, value) of each field of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        require(number != 0, "field 0")
        if wire == VARINT:
            value, at = varint(data, at)
        elif wire == BYTES:
            size, at = varint(data, at)
            require(at + size <= len(data), "a field reaches beyond its message")
            value, at = data[at:at + size], at + size
        elif wire == FIXED64:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif wire == FIXED32:
            value, at = struct.unpack_from("<I", data, at)[0], at + 4
        else:
            raise ValueError(f"wire type {wire}")
        yield number, wire, value


class Message:
    """A message by a schema {number: (name, wire type, whether it repeats)}; unknown fields are mistakes here."""

    def __init__(self, data, schema):
        self.values = {}
        for number, wire, value in fields(data):
            require(number in schema, f"field {number} is not in {schema}")
            name, expected, repeats = schema[number]
            require(wire == expected, f"{name}: wire type {wire}")
            if repeats:
                self.values.setdefault(name, []).append(value)
            else:
                require(name not in self.values, f"{name} twice")
                self.values[name] = value

    def __getattr__(self, name):
        return self.values.get(name)


def message(data, **schema):
    return Message(data, {number: (name, wire, repeats) for name, (number, wire, repeats) in schema.items()})


def one(number, wire=VARINT):
    return (number, wire, False)


def many(number, wire=BYTES):
    return (number, wire, True)


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def decompressed(data):
    unpacker = zlib.decompressobj()
    unpacked = unpacker.decompress(data) + unpacker.flush()
    require(unpacker.eof and not unpacker.unused_data, "the compressed data do not end where the field does")
    return unpacked


def uncompressed(data):
    """The packets of a trace, those of each compressed bundle together."""
    for _, _, packet in fields(data):
        bundle = next((value for number, _, value in fields(packet) if number == 50), None)
        yield packet if bundle is None else decompressed(bundle)


def packets(data, inside=False):
    for number, wire, content in fields(data):
        require((number, wire) == (1, BYTES), "a trace is made of packets")
        packet = message(content, clock_snapshot=one(6, BYTES), timestamp=one(8), sequence=one(10), track_event=one(11, BYTES),
                         interned=one(12, BYTES), flags=one(13), compressed=one(50, BYTES), clock=one(58), defaults=one(59, BYTES),
                         descriptor=one(60, BYTES), first=one(87))
        if packet.compressed is None:
            yield packet
            continue
        require(not inside and len(packet.values) == 1 and len(content) < 512 * 1024, "a compressed packet")
        yield from packets(decompressed(packet.compressed), True)


class Reader:
    TABLES = {"categories": 1, "names": 2, "annotation_names": 3, "annotation_texts": 29}
    BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4

    def __init__(self, data):
        self.trace = Trace()
        self.tables = {name: {} for name in self.TABLES}
        self.tracks, self.counter_names, self.units, self.default_clock = {}, {}, {}, None
        self.open, self.ends, self.cleared = [], [], False
        self.starts = {}
        for packet in packets(data):
            self.packet(packet)
        require(not self.starts, "half an arrow")
        self.check_arrows(self.close_slices())

    def packet(self, p):
        require(p.sequence == 1, "one sequence")
        if p.flags and p.flags & 1:
            self.cleared = True
        require(p.flags is None or self.cleared, "incremental state before it is cleared")
        if p.defaults is not None:
            self.default_clock = message(p.defaults, clock=one(58)).clock
        if p.interned is not None:
            self.intern(p.interned)
        if p.clock_snapshot is not None:
            for data in message(p.clock_snapshot, clocks=many(1)).clocks:
                clock = message(data, id=one(1), timestamp=one(2), unit=one(4))
                require(clock.timestamp == 0, "clocks begin together")
                self.units[clock.id] = clock.unit or 1
            require(6 in self.units, "the clock of the file")
        if p.descriptor is not None:
            self.describe(p.descriptor)
        if p.track_event is not None:
            require(p.flags & 2, "interned data without the flag")
            # Nanoseconds of the file are picoseconds of the model.
            self.event(p.track_event, p.timestamp * self.units[p.clock or self.default_clock])

    def intern(self, data):
        interned = message(data, **{name: many(number) for name, number in self.TABLES.items()})
        for name, table in self.tables.items():
            for entry in getattr(interned, name) or []:
                item = message(entry, id=one(1), text=one(2, BYTES))
                require(item.id and item.id not in table, f"identifier {item.id} of {name}")
                table[item.id] = item.text.decode()

    def describe(self, data):
        track = message(data, uuid=one(1), name=one(2, BYTES), process=one(3, BYTES), thread=one(4, BYTES), parent=one(5),
                        counter=one(8, BYTES))
        require(track.uuid and track.uuid not in self.tracks, "uuid of a track")
        if track.process is not None:
            process = message(track.process, pid=one(1), name=many(6), labels=many(8))
            self.tracks[track.uuid] = ("process", process.pid)
            self.trace.processes[process.pid] = process.name[0].decode()
            self.trace.about = [label.decode() for label in process.labels]
        elif track.thread is not None:
            thread = message(track.thread, pid=one(1), tid=one(2), sort=one(3), name=one(5, BYTES))
            self.tracks[track.uuid] = ("thread", (thread.pid, thread.tid))
            self.trace.threads[thread.pid, thread.tid] = (thread.name.decode(), thread.sort)
        else:
            require(track.counter is not None and self.tracks[track.parent][0] == "process", "a counter of a process")
            self.tracks[track.uuid] = ("counter", track.name.decode())

    def event(self, data, time):
        e = message(data, categories=many(3, VARINT), annotations=many(4), legacy=one(6, BYTES), type=one(9), name_id=one(10),
                    uuid=one(11), name=one(23, BYTES), counter=one(30), ratio=one(44, FIXED64))
        kind, track = self.tracks[e.uuid]
        if e.type == self.COUNTER:
            require(kind == "counter", "a counter's track")
            require((e.counter is None) != (e.ratio is None), "one value of a counter")
            value = signed(e.counter) if e.counter is not None else struct.unpack("<d", struct.pack("<Q", e.ratio))[0]
            self.trace.count(track, time, Fraction(value))
            return
        require(kind == "thread", "a thread's track")
        name = e.name.decode() if e.name is not None else self.tables["names"][e.name_id] if e.name_id else None
        categories = [self.tables["categories"][c] for c in e.categories or []]
        if e.legacy is not None:
            self.arrow_end(message(e.legacy, phase=one(2), id=one(6), enclosing=one(12)), name, categories, (*track, time))
        elif e.type == self.END:
            require(name is None and not categories, "the end of a slice has nothing to say")
            self.ends.append((track, time))
        else:
            args = dict(self.arg(a) for a in e.annotations)
            where = self.trace.instants if e.type == self.INSTANT else self.trace.slices
            require(e.type in (self.INSTANT, self.BEGIN), f"type {e.type}")
            where.append((*track, time, None, name, categories, args))

    def arrow_end(self, legacy, name, categories, place):
        if legacy.phase == ord("s"):
            require(legacy.id not in self.starts, "identifier of an arrow")
            self.starts[legacy.id] = (name, categories[0], place)
        else:
            require(legacy.phase == ord("f") and legacy.enclosing == 1, "end of an arrow")
            start = self.starts.pop(legacy.id)
            require(start[:2] == (name, categories[0]), "ends of an arrow differ")
            self.trace.arrows.append((*start, place))

    def arg(self, data):
        a = message(data, name=one(1), unsigned=one(3), signed=one(4), text=one(6, BYTES), pointer=one(7), text_id=one(17))
        values = [v for v in (a.unsigned, signed(a.signed) if a.signed is not None else None,
                              a.text.decode() if a.text is not None else None,
                              f"0x{a.pointer:08x}" if a.pointer is not None else None,
                              self.tables["annotation_texts"][a.text_id] if a.text_id is not None else None) if v is not None]
        require(len(values) == 1, "one value")
        return self.tables["annotation_names"][a.name], values[0]

    def close_slices(self):
        """Slices of a track follow each other, or are those of words that are issued in one cycle, so the n-th end belongs to
        the n-th begin, in the order of time. Returns these by track."""
        begins, ends = {}, {}
        for i, s in enumerate(self.trace.slices):
            begins.setdefault(s[:2], []).append((s[2], i))
        for track, time in self.ends:
            ends.setdefault(track, []).append(time)
        require({t: len(b) for t, b in begins.items()} == {t: len(e) for t, e in ends.items()}, "begins and ends differ")
        for track, starts in begins.items():
            starts.sort()
            over = sorted(ends[track])
            last = (float("inf"), float("inf"))
            for (begin, i), end, (next_begin, _), next_end in zip(starts, over, starts[1:] + [last], over[1:] + [last[1]]):
                require(begin < end and (end <= next_begin or (begin, end) == (next_begin, next_end)), "slices of a track overlap")
                self.trace.slices[i] = (*self.trace.slices[i][:3], end, *self.trace.slices[i][4:])
        return begins

    def check_arrows(self, begins):
        for arrow in self.trace.arrows:
            for *track, time in arrow[2:]:
                starts = begins[tuple(track)]
                at = bisect.bisect_right(starts, (time, float("inf"))) - 1
                require(at >= 0 and time < self.trace.slices[starts[at][1]][3], "an arrow ends outside of all slices")
            require(arrow[2][2] <= arrow[3][2], "an arrow goes back in time")


def read(data):
    return Reader(data).trace
