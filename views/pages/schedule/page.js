"use strict";
(() => {
  const texts = JSON.parse(document.getElementById("texts").textContent);
  // [lane, text, kind, length, line, latency, sources, destination, cell, result, tensor]; kinds: 0 issued, 1
  // scheduled, 2 discarded, 3 held, 4 diagnostic, 5 forgotten; from latency on only of instructions
  const shapes = JSON.parse(document.getElementById("shapes").textContent);
  const lanes = ["Issue", "Load", "Simple", "MAD", "Round", "Store"];
  const kinds = ["issued", "scheduled by SFPLOADMACRO", "discarded", "held", "diagnostic", "forgotten"];
  const first = texts.first, last = texts.last, cycles = Math.max(1, last - first + 1);
  const colours = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2"];

  /** Numbers in an array that grows. */
  class Numbers {
    constructor(kind) { this.kind = kind; this.all = new kind(1024); this.count = 0; }
    push(value) {
      if (this.count === this.all.length) { const more = new this.kind(2 * this.count); more.set(this.all); this.all = more; }
      this.all[this.count++] = value;
    }
    done() { return this.all.subarray(0, this.count); }
  }
  /** Events as columns of numbers, and the lives of values; schedule_page.cpp says how they are written. */
  function read(text) {
    const begin = new Numbers(Float64Array), shape = new Numbers(Int32Array), word = new Numbers(Float64Array), row = new Numbers(Float64Array);
    const sample = new Numbers(Int32Array), life = {register: new Numbers(Uint8Array), writer: new Numbers(Int32Array), from: new Numbers(Int32Array), reads: new Numbers(Int32Array)};
    const recent = new Array(4096), unfinished = new Map(), chunks = [];
    let count = 0, lines = 0, used = 0, cycle = 0, lastWord = 0, lastRow = 0;
    const one = numbers => {
      recent[lines++ % recent.length] = numbers;
      if (numbers[0] >= 0 || numbers[0] === -3) {
        begin.push(cycle += numbers[1]); shape.push(numbers[2]); word.push(lastWord += numbers[3]); row.push(lastRow += numbers[4]);
        const what = shapes[numbers[2]];
        sample.push(used);
        if (what.length > 5) used += (what[8] ? 2 : 0) + (what[9] >= 0 ? 1 : 0);
        ++count;
        return;
      }
      const writer = count - numbers[2], key = writer * 32 + numbers[1], earlier = unfinished.get(key) || [];
      const reads = earlier.concat(numbers.slice(3).map(back => 2 * count - back));
      if (numbers[0] === -2) { unfinished.set(key, reads); return; }
      unfinished.delete(key);
      life.register.push(numbers[1]); life.writer.push(writer); life.from.push(life.reads.count);
      for (const each of reads) life.reads.push(each);
    };
    for (let at = text.indexOf("\n") + 1, end; (end = text.indexOf("\n", at)) >= 0; at = end + 1) {
      const first = text[at];
      if (first === "=") { chunks.push(atob(text.slice(at + 1, end))); continue; }
      if (first === "*") {
        const [distance, times] = text.slice(at + 1, end).split(",").map(Number);
        for (let n = 0; n < times; ++n) one(recent[(lines - distance) % recent.length]);
        continue;
      }
      const kind = first === "L" ? -1 : first === "l" ? -2 : -3;
      one([kind, ...text.slice(kind === -3 ? at : at + 1, end).split(",").map(Number)]);
    }
    life.from.push(life.reads.count);
    const bytes = chunks.join(""), values = new Uint32Array(bytes.length >> 2);
    for (let i = 0; i < values.length; ++i)
      values[i] = bytes.charCodeAt(4 * i) | bytes.charCodeAt(4 * i + 1) << 8 | bytes.charCodeAt(4 * i + 2) << 16 | bytes.charCodeAt(4 * i + 3) << 24;
    return {count, begin: begin.done(), shape: shape.done(), word: word.done(), row: row.done(), sample: sample.done(), values,
      lives: {count: life.register.count, register: life.register.done(), writer: life.writer.done(), from: life.from.done(), reads: life.reads.done()}};
  }
  const data = read(document.getElementById("data").textContent), lives = data.lives, count = data.count;
  document.getElementById("data").textContent = "";
  const beginOf = i => data.begin[i], shapeOf = i => shapes[data.shape[i]], laneOf = i => shapeOf(i)[0], kindOf = i => shapeOf(i)[2];
  const lengthOf = i => shapeOf(i)[3], rowOf = i => data.row[i], wordOf = i => data.word[i], textOf = i => texts.texts[shapeOf(i)[1]];
  const isInstruction = i => shapeOf(i).length > 5, latencyOf = i => shapeOf(i)[5];
  const visible = life => beginOf(lives.writer[life]) + latencyOf(lives.writer[life]);
  const lastRead = life => {
    const at = lives.from[life + 1] - 1;
    return at < lives.from[life] ? -1 : beginOf(lives.reads[at] >> 1) + (lives.reads[at] & 1);
  };
  /** For each event the lives that `eventsOf` names for it, in one array. */
  function index(eventsOf) {
    const from = new Int32Array(count + 1);
    for (let life = 0; life < lives.count; ++life) eventsOf(life, event => ++from[event + 1]);
    for (let i = 0; i < count; ++i) from[i + 1] += from[i];
    const all = new Int32Array(from[count]), next = from.slice(0, count);
    for (let life = 0; life < lives.count; ++life) eventsOf(life, event => { all[next[event]++] = life; });
    return event => all.subarray(from[event], from[event + 1]);
  }
  const written = index((life, use) => use(lives.writer[life]));
  const readBy = index((life, use) => { for (let at = lives.from[life]; at < lives.from[life + 1]; ++at) use(lives.reads[at] >> 1); });
  // Lives by the event that writes them; those that last long stand apart.
  const longest = 400, byWriter = new Int32Array(lives.count).map((_, i) => i).sort((a, b) => lives.writer[a] - lives.writer[b]);
  const longLives = byWriter.filter(life => lastRead(life) - visible(life) > longest);
  const registers = [...new Set(lives.register)].sort((a, b) => a - b);

  document.getElementById("summary").textContent = texts.summary;

  const chart = document.getElementById("chart"), overview = document.getElementById("overview"), tip = document.getElementById("tip");
  const found = document.getElementById("found"), allArrows = document.getElementById("arrows");
  const margin = 70, axis = 22, lifePitch = registers.length > 10 ? 12 : 15;
  // What is shown: cycles from `from`, `scale` pixels each.
  const view = {from: first, scale: 64};
  let hits = [], chosen = -1, hovered = -1, density = null;
  const width = () => chart.clientWidth - margin;
  const most = () => 260, least = () => Math.min(most(), width() / cycles);

  // Diagnostics may be told late: then events are not in the order of their cycles.
  let order = null;
  for (let i = 1; i < count && !order; ++i)
    if (beginOf(i) < beginOf(i - 1)) order = Int32Array.from({length: count}, (_, n) => n).sort((a, b) => beginOf(a) - beginOf(b) || a - b);
  const placed = n => order ? order[n] : n;
  /** The place of the first event that begins at `cycle` or later. */
  function lower(cycle) {
    let low = 0, high = count;
    while (low < high) { const middle = low + high >> 1; if (beginOf(placed(middle)) < cycle) low = middle + 1; else high = middle; }
    return low;
  }
  /** The events of some cycles. */
  function* between(from, to) {
    for (let n = lower(from - 8); n < count && beginOf(placed(n)) <= to; ++n) yield placed(n);
  }
  /** The lives that touch some cycles. */
  function* livesBetween(from, to) {
    const touches = life => visible(life) <= to && Math.max(lastRead(life), visible(life)) >= from;
    for (const life of longLives) if (touches(life)) yield life;
    let low = 0, high = byWriter.length;
    while (low < high) { const middle = low + high >> 1; if (beginOf(lives.writer[byWriter[middle]]) < from - longest - 16) low = middle + 1; else high = middle; }
    for (; low < byWriter.length && beginOf(lives.writer[byWriter[low]]) <= to; ++low)
      if (lastRead(byWriter[low]) - visible(byWriter[low]) <= longest && touches(byWriter[low])) yield byWriter[low];
  }
  /** The SFPLOADMACRO that scheduled an event; -1 if it is not shown. */
  function macroOf(i) {
    for (let n = i - 1; n >= 0 && n > i - 600; --n)
      if (wordOf(n) === wordOf(i) && kindOf(n) === 0 && laneOf(n) === 1) return n;
    return -1;
  }
  function clamp() {
    view.scale = Math.min(most(), Math.max(least(), view.scale));
    view.from = Math.max(first, Math.min(view.from, last + 1 - width() / view.scale));
    if (view.from < first) view.from = first;
  }
  function prepare(canvas) {
    const ratio = window.devicePixelRatio || 1, wide = canvas.clientWidth, high = canvas.clientHeight;
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    const draw = canvas.getContext("2d");
    draw.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw.clearRect(0, 0, wide, high);
    return draw;
  }
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colour = row => row < 0 ? "#8b949e" : colours[row % colours.length];
  const short = text => text.replace(/^sfploadmacro (\d+),.*/, "macro\u00a0$1").replace(/^sfp/, "").split(" ")[0];
  const hex = (value, digits = 8) => (value >>> 0).toString(16).padStart(digits, "0");

  function step() {
    let best = 1;
    for (let power = 1; power < 1e12; power *= 10) for (const size of [1, 2, 5]) { best = size * power; if (best * view.scale >= 60) return best; }
    return best;
  }
  /** Where things stand. Registers get the lower part, if single cycles can be seen. */
  function layout() {
    const showsLives = view.scale >= 3 && registers.length > 0;
    const below = showsLives ? registers.length * lifePitch + 8 : 0, high = (chart.clientHeight - axis - below) / lanes.length;
    return {showsLives, lane: high, lives: axis + high * lanes.length + 6, x: cycle => margin + (cycle - view.from) * view.scale};
  }
  function draw() {
    clamp();
    const at = layout(), {lane, x} = at, pen = prepare(chart), ink = css("--ink"), line = css("--line");
    hits = [];
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    for (let i = 0; i < lanes.length; ++i) {
      pen.fillText(lanes[i], 8, axis + lane * (i + .5));
      pen.beginPath(); pen.moveTo(0, axis + lane * i); pen.lineTo(chart.clientWidth, axis + lane * i); pen.stroke();
    }
    if (at.showsLives) registers.forEach((register, i) => pen.fillText("L" + register, 8, at.lives + lifePitch * (i + .5)));
    const every = step();
    for (let cycle = Math.ceil(view.from / every) * every; x(cycle) < chart.clientWidth; cycle += every) {
      pen.fillText(String(cycle), x(cycle) + 2, axis / 2);
      pen.beginPath(); pen.moveTo(x(cycle), 0); pen.lineTo(x(cycle), chart.clientHeight); pen.stroke();
    }
    const to = view.from + width() / view.scale;
    pen.save();
    pen.beginPath(); pen.rect(margin, 0, width(), chart.clientHeight); pen.clip();
    if (view.scale < 3) shares(pen, lane, x, to);
    else {
      drawLives(pen, at, to);
      for (const i of between(view.from, to)) box(pen, i, lane, x, ink);
      drawArrows(pen, at, to);
    }
    pen.restore();
    drawOverview();
  }
  /** The longest of some texts that fits whole; nothing if none does. */
  const fitting = (pen, wide, candidates) => candidates.find(text => text && pen.measureText(text).width <= wide) || "";
  function labels(i) {
    const text = textOf(i);
    if (!isInstruction(i)) return [text];
    const [, , , , , , sources, destination, cell] = shapeOf(i), place = cell ? "@0x" + data.values[data.sample[i]].toString(16) : "";
    return [short(text), cell === 1 ? place : sources, cell === 2 ? "\u2192 " + place : destination ? "\u2192 " + destination : ""];
  }
  function box(pen, i, lane, x, ink) {
    const begin = beginOf(i), which = laneOf(i), kind = kindOf(i), row = rowOf(i);
    const left = x(begin) + 1, wide = Math.max(1, lengthOf(i) * view.scale - 2), top = axis + lane * which + 3, high = lane - 6;
    if (kind === 4) {
      pen.fillStyle = css("--bad");
      pen.beginPath(); pen.moveTo(left + view.scale / 2, axis + 2); pen.lineTo(left + view.scale / 2 + 6, axis + 13); pen.lineTo(left + view.scale / 2 - 6, axis + 13); pen.fill();
      hits.push([left, axis, wide, 16, i]);
      return;
    }
    // An issued word stands in the lane of issue, too.
    if (isInstruction(i) && kind !== 1 && which !== 0) frame(pen, i, [left, axis + 3, wide, high], [String(wordOf(i))], ink, false);
    frame(pen, i, [left, top, wide, high], labels(i), ink, kind === 1);
    if (isInstruction(i) && latencyOf(i) > lengthOf(i)) { // how long its result takes
      pen.fillStyle = colour(row);
      pen.fillRect(left, top + high, latencyOf(i) * view.scale - 2, 2);
    }
  }
  function frame(pen, i, shape, lines, ink, solid) {
    const [left, top, wide, high] = shape, kind = kindOf(i), marked = i === chosen || i === hovered;
    pen.globalAlpha = solid ? .9 : kind === 0 || kind === 1 ? .28 : .15;
    pen.fillStyle = colour(rowOf(i));
    pen.fillRect(...shape);
    pen.globalAlpha = 1;
    pen.strokeStyle = marked ? css("--mark") : colour(rowOf(i));
    pen.lineWidth = marked ? 3 : 1;
    if (kind >= 2) pen.setLineDash([4, 3]);
    pen.strokeRect(...shape);
    pen.setLineDash([]);
    pen.lineWidth = 1;
    pen.fillStyle = solid ? "#000000" : ink;
    const whole = fitting(pen, wide - 6, lines.length > 1 ? [textOf(i)] : lines);
    if (whole) pen.fillText(whole, left + 4, top + high / 2);
    else if (pen.measureText(lines[0]).width <= wide - 4) {
      const shown = high < 44 ? lines.slice(0, 1) : lines.filter((text, n) => text && (n === 0 || pen.measureText(text).width <= wide - 4));
      shown.forEach((text, n) => pen.fillText(text, left + 3, top + high / 2 + 13 * (n - (shown.length - 1) / 2)));
    }
    hits.push([...shape, i]);
  }
  const lifeTop = (at, life) => at.lives + lifePitch * registers.indexOf(lives.register[life]);
  function drawLives(pen, at, to) {
    for (const life of livesBetween(view.from, to)) {
      const from = visible(life), end = lastRead(life), top = lifeTop(at, life) + 2, high = lifePitch - 4, writer = lives.writer[life];
      const left = at.x(from) + 1, wide = end < 0 ? Math.min(12, view.scale - 2) : (end - from + 1) * view.scale - 2, row = rowOf(writer);
      pen.globalAlpha = end < 0 ? 1 : .55;
      pen.fillStyle = pen.strokeStyle = colour(row);
      if (end < 0) { // nobody reads it
        pen.setLineDash([2, 2]);
        pen.strokeRect(left, top, wide, high);
        pen.setLineDash([]);
        pen.strokeStyle = css("--bad");
        pen.beginPath(); pen.moveTo(left + 2, top + 2); pen.lineTo(left + wide - 2, top + high - 2); pen.moveTo(left + wide - 2, top + 2); pen.lineTo(left + 2, top + high - 2); pen.stroke();
      } else pen.fillRect(left, top, wide, high);
      pen.globalAlpha = 1;
      pen.fillStyle = css("--ink");
      for (let n = lives.from[life]; n < lives.from[life + 1]; ++n) {
        const middle = at.x(beginOf(lives.reads[n] >> 1) + (lives.reads[n] & 1) + .5);
        pen.beginPath(); pen.arc(middle, top + high / 2, 2, 0, 7); pen.fill();
      }
      hits.push([left, top, wide, high, -2 - life]);
    }
  }
  function arrow(pen, x1, y1, x2, y2) {
    const angle = Math.atan2(y2 - y1, x2 - x1);
    pen.beginPath(); pen.moveTo(x1, y1); pen.lineTo(x2, y2); pen.stroke();
    pen.beginPath(); pen.moveTo(x2, y2); pen.lineTo(x2 - 7 * Math.cos(angle - .4), y2 - 7 * Math.sin(angle - .4)); pen.lineTo(x2 - 7 * Math.cos(angle + .4), y2 - 7 * Math.sin(angle + .4)); pen.fill();
  }
  /** From an SFPLOADMACRO to what it scheduled; from producers to consumers of the chosen event, or all. */
  function drawArrows(pen, at, to) {
    const middle = i => axis + at.lane * (laneOf(i) + .5), of = hovered >= 0 ? hovered : chosen;
    const between_ = (a, b, second) => arrow(pen, at.x(beginOf(a) + .96), middle(a), at.x(beginOf(b) + second + .04), middle(b));
    pen.strokeStyle = pen.fillStyle = css("--ink");
    const values = i => {
      for (const life of written(i)) for (let n = lives.from[life]; n < Math.min(lives.from[life + 1], lives.from[life] + 200); ++n) between_(i, lives.reads[n] >> 1, lives.reads[n] & 1);
    };
    if (allArrows.checked) for (const i of between(view.from - longest / 8, to)) { if (isInstruction(i)) values(i); }
    else if (of >= 0 && isInstruction(of)) {
      values(of);
      for (const life of readBy(of)) between_(lives.writer[life], of, 0);
    }
    pen.globalAlpha = .45;
    pen.setLineDash([3, 3]);
    for (const i of between(view.from, to)) {
      const macro = kindOf(i) === 1 ? macroOf(i) : -1;
      if (macro >= 0) between_(macro, i, 0);
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }
  /** Far away: in each column of pixels how much of a lane is busy. */
  function shares(pen, lane, x, to) {
    const columns = Math.ceil(width()), busy = lanes.map(() => new Float64Array(columns));
    for (const i of between(view.from, to)) {
      const column = Math.floor(x(beginOf(i)) - margin), part = view.scale >= 1 ? 1 : view.scale;
      if (kindOf(i) > 1 || column < 0 || column >= columns) continue;
      busy[laneOf(i)][column] += part;
      if (kindOf(i) === 0 && laneOf(i) !== 0) busy[0][column] += part;
    }
    pen.fillStyle = colours[0];
    busy.forEach((counts, which) => counts.forEach((share, column) => {
      const high = Math.min(1, share) * (lane - 10);
      if (high > 0) pen.fillRect(margin + column, axis + lane * (which + 1) - 5 - high, Math.max(1, view.scale), high);
    }));
  }
  function drawOverview() {
    const pen = prepare(overview), wide = overview.clientWidth - margin, high = overview.clientHeight;
    if (!density || density.length !== Math.ceil(wide)) {
      density = new Float64Array(Math.max(1, Math.ceil(wide)));
      for (let i = 0; i < count; ++i)
        if (kindOf(i) < 2 && laneOf(i) > 0) density[Math.min(density.length - 1, Math.floor((beginOf(i) - first) / cycles * wide))] += wide / cycles / 5;
    }
    pen.fillStyle = colours[2];
    density.forEach((share, column) => { const tall = Math.min(1, share) * (high - 6); pen.fillRect(margin + column, high - 3 - tall, 1, tall); });
    pen.strokeStyle = css("--mark");
    pen.lineWidth = 2;
    const left = margin + (view.from - first) / cycles * wide;
    pen.strokeRect(left, 2, Math.max(3, Math.min(wide, width() / view.scale / cycles * wide)), high - 4);
  }
  /** The bits of a register as a value of a type of .input and .output. */
  function typed(type, bits) {
    if (/^(f|bf)/.test(type)) { const view = new DataView(new ArrayBuffer(4)); view.setUint32(0, bits); return String(view.getFloat32(0)); }
    if (/^sm|^i8/.test(type)) return (bits & 0x80000000 ? "-" : "") + (bits & 0x7fffffff);
    return String(type === "i32" ? bits | 0 : type === "i16" ? bits << 16 >> 16 : bits >>> 0);
  }
  const resultOf = i => isInstruction(i) && shapeOf(i)[9] >= 0 ? data.values[data.sample[i] + (shapeOf(i)[8] ? 2 : 0)] : null;
  /** What lane 0 gets, and where it goes. */
  function valueLines(i) {
    const [, , , , , latency, , , cell, result, tensor] = shapeOf(i), lines = [];
    const named = tensor < 0 ? null : texts.tensors[tensor];
    if (cell) lines.push(`Dst 0x${data.values[data.sample[i]].toString(16)}: ${hex(data.values[data.sample[i] + 1])} in lane 0`);
    if (result >= 0) lines.push(`L${result} = ${hex(resultOf(i))} in lane 0, visible from cycle ${beginOf(i) + latency}`);
    const stored = cell === 2 ? [...readBy(i)].map(life => resultOf(lives.writer[life])).find(value => value !== null) : undefined;
    const value = cell === 1 ? resultOf(i) : stored;
    if (named && value !== null && value !== undefined) lines.push(`${named[0]} (${named[1]}) = ${typed(named[1], value)} in lane 0`);
    else if (named) lines.push(`${named[0]} (${named[1]})`);
    return lines;
  }
  function describeLife(life) {
    const writer = lives.writer[life], reads = lives.from[life + 1] - lives.from[life];
    const lines = [`L${lives.register[life]}: ${textOf(writer)}, cycle ${beginOf(writer)}`, `visible from cycle ${visible(life)}`];
    lines.push(reads ? `read ${reads} time${reads > 1 ? "s" : ""}, last in cycle ${lastRead(life)}` : "nobody read it in this run");
    return lines.join("\n");
  }
  function describe(i) {
    if (i <= -2) return describeLife(-2 - i);
    const [which, text, kind, length, where] = shapeOf(i), begin = beginOf(i), row = rowOf(i), word = wordOf(i);
    const lines = [texts.texts[text]];
    lines.push(`${lanes[which]}, ${kinds[kind]}, cycle ${begin}${length > 1 ? ` to ${begin + length - 1}` : ""}`);
    if (row >= 0) lines.push(texts.rows_together > 1 ? `rows ${row}-${row + texts.rows_together - 1}` : `row ${row}`);
    if (word >= 0) lines.push(`word ${word}${where ? `, line ${where}` : ""}`);
    if (!isInstruction(i)) return lines.join("\n");
    for (const life of readBy(i)) lines.push(`reads L${lives.register[life]} of ${textOf(lives.writer[life])}, cycle ${beginOf(lives.writer[life])}`);
    lines.push(...valueLines(i));
    for (const life of written(i)) if (lastRead(life) < 0) lines.push(`nobody read L${lives.register[life]} in this run`);
    return lines.join("\n");
  }
  function under(px, py) {
    for (let i = hits.length - 1; i >= 0; --i) {
      const [x, y, wide, high, event] = hits[i];
      if (px >= x && px <= x + wide && py >= y && py <= y + high) return event;
    }
    return -1;
  }
  function tell(i, px, py) {
    tip.style.display = i === -1 ? "none" : "block";
    if (i === -1) return;
    tip.textContent = describe(i);
    tip.style.left = Math.max(4, Math.min(px + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(py + 14, innerHeight - tip.offsetHeight - 8)) + "px";
  }
  function hover(px, py) {
    const place = chart.getBoundingClientRect(), i = under(px - place.left, py - place.top), event = i >= 0 ? i : -1;
    if (event !== hovered) { hovered = event; draw(); }
    tell(i, px, py);
  }
  /** Chooses an event, shows it whole and says what it is. */
  function choose(i) {
    chosen = i;
    if (view.scale < 12) view.scale = 64;
    const left = margin + (beginOf(i) - view.from) * view.scale;
    if (left < margin || left + view.scale > chart.clientWidth) view.from = beginOf(i) - width() / view.scale / 2;
    draw();
    const place = chart.getBoundingClientRect(), hit = hits.find(([, , , , event], n) => event === i && n + 1 && hits[n][1] > axis + 4) || hits.find(each => each[4] === i);
    if (hit) tell(i, place.left + hit[0] + 20, place.top + hit[1] + hit[3]);
    found.textContent = describe(i).replace(/\n/g, "; ");
  }
  /** The next event of a lane, or the one of another lane that is nearest in time. */
  function walk(along, across) {
    const to = view.from + width() / view.scale;
    if (chosen < 0) { for (const i of between(view.from + 8, to)) if (laneOf(i) > 0) return choose(i); return; }
    const wanted = laneOf(chosen) + across, begin = beginOf(chosen);
    if (along) {
      for (let i = chosen + along; i >= 0 && i < count; i += along) if (laneOf(i) === wanted && kindOf(i) !== 4) return choose(i);
      return;
    }
    for (let lane = wanted; lane >= 0 && lane < lanes.length; lane += across) {
      let best = -1;
      for (const i of between(begin - 24, begin + 24))
        if (laneOf(i) === lane && kindOf(i) !== 4 && (best < 0 || Math.abs(beginOf(i) - begin) < Math.abs(beginOf(best) - begin))) best = i;
      if (best >= 0) return choose(best);
    }
  }
  function zoom(factor, px) {
    const at = view.from + (px - margin) / view.scale;
    view.scale = Math.min(most(), Math.max(least(), view.scale * factor));
    view.from = at - (px - margin) / view.scale;
    draw();
  }
  function show(cycle) { view.from = cycle - width() / view.scale / 2; draw(); }

  const fits = wanted => {
    const row = /^row\s+(\d+)$/i.exec(wanted);
    if (row) return i => rowOf(i) >= 0 && rowOf(i) <= Number(row[1]) && Number(row[1]) < rowOf(i) + texts.rows_together;
    const register = /^L\d+$/i.test(wanted) ? new RegExp("\\b" + wanted + "\\b", "i") : null;
    const low = wanted.toLowerCase(), known = texts.texts.map(text => register ? register.test(text) : text.toLowerCase().includes(low));
    return i => known[shapeOf(i)[1]];
  };
  function search(wanted, direction) {
    wanted = wanted.trim();
    if (!wanted) { found.textContent = ""; return; }
    const cycle = /^(?:cycle\s+)?(\d+)$/i.exec(wanted);
    if (cycle) {
      const at = Number(cycle[1]), inside = at >= first && at <= last;
      found.textContent = inside ? `cycle ${at}` : `cycles are ${first} to ${last}`;
      if (inside) { if (view.scale < 12) view.scale = 64; show(at); }
      return;
    }
    const fit = fits(wanted);
    for (let n = 1; n <= count; ++n) {
      const i = (((chosen < 0 && direction < 0 ? 0 : chosen) + direction * n) % count + count) % count;
      if (!fit(i)) continue;
      chosen = i;
      found.textContent = `cycle ${beginOf(i)}`;
      if (view.scale < 12) view.scale = 64;
      show(beginOf(i));
      return;
    }
    found.textContent = "not found";
  }

  /** Shows the next event of a word of the kernel, counted over its three parts. */
  function showWord(place) {
    const counts = {init: 0, loop: 0, tail: 0};
    for (const word of texts.profile.instructions) ++counts[word.part];
    const placeOf = i => rowOf(i) >= 0 ? counts.init + (wordOf(i) - counts.init) % counts.loop : wordOf(i) < counts.init ? wordOf(i) : -1;
    for (let n = 1; n <= count; ++n) {
      const i = (Math.max(chosen, lower(texts.steady) - 1) + n) % count;
      if (placeOf(i) !== place) continue;
      chosen = i;
      if (view.scale < 12) view.scale = 64;
      show(beginOf(i));
      return;
    }
  }
  /** The profile beside the source: a row for each of its lines, one more for what a macro schedules. */
  function drawProfile() {
    const profile = texts.profile, share = value => value === null ? "" : (100 * value).toFixed(1) + " %", known = value => value === null ? "" : String(value);
    let loop = null;
    const table = document.createElement("table"), sum = waits => Object.values(waits).reduce((a, b) => a + b, 0);
    const add = (kind, cells, name) => {
      const row = table.insertRow();
      row.className = name;
      cells.forEach((text, i) => {
        const cell = document.createElement(kind);
        cell.textContent = text;
        if (i === 1) cell.title = text;
        cell.className = i === 1 ? "code text" : i === 2 || i === cells.length - 1 ? "text" : "";
        if (kind === "th") cell.scope = "col";
        row.append(cell);
      });
      return row;
    };
    const facts = (entry, line, text, waits, issue) => {
      const notes = [];
      if (entry.on_recurrence) notes.push("recurrence");
      if (entry.on_busiest_resource) notes.push("busiest");
      for (const cause in waits) notes.push(`${cause} ${waits[cause]}`);
      if (entry.discarded) notes.push(`discarded ${entry.discarded}`);
      return [line, text, entry.unit, known(entry.executed), waits ? known(sum(waits)) : "", known(entry.latency), known(entry.slack), share(issue), share(entry.unit_share), notes.join(", ")];
    };
    const addWord = (place, text) => {
      const word = profile.instructions[place];
      const where = word.cpp ? `${word.cpp.file}:${word.cpp.line}` : word.line !== null ? known(word.line) : "address" in word ? "0x" + word.address.toString(16) : "";
      const row = add("td", facts(word, where, text, word.waits, word.issue_share), "word" + (word.on_recurrence ? " recurrence" : ""));
      row.tabIndex = 0;
      row.addEventListener("click", () => showWord(place));
      row.addEventListener("keydown", event => { if (event.key === "Enter") showWord(place); });
      if (word.part === "loop" && !loop) loop = row;
      for (const made of word.made) add("td", facts(made, "", (made.scheduled ? "        *" : "        ") + made.text, null, null), made.on_recurrence ? "recurrence" : "");
    };
    add("th", ["line", "instruction", "unit", "executed", "waited", "latency", "slack", "issue", "busy", "notes"], "");
    const byLine = new Map();
    profile.instructions.forEach((word, place) => {
      const line = texts.source.length ? word.line : null;
      if (line === null) return addWord(place, word.text);
      byLine.set(line, (byLine.get(line) || []).concat(place));
    });
    texts.source.forEach((text, i) => {
      const places = byLine.get(i + 1) || [];
      if (!places.length) add("td", [String(i + 1), text, "", "", "", "", "", "", "", ""], "");
      places.forEach((place, n) => addWord(place, n ? profile.instructions[place].text : text));
    });
    const place = document.getElementById("profile-table");
    place.append(table);
    if (loop) place.scrollTop = loop.offsetTop - 2 * loop.offsetHeight; // below the head
    document.getElementById("profile-head").textContent = profile.unknown !== null ? `Profile; no steady state: ${profile.unknown}`
      : `Profile: an iteration takes ${profile.cycles_per_iteration} cycles (II); ${profile.binds}`;
  }

  chart.addEventListener("wheel", event => { event.preventDefault(); if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) { view.from += (event.deltaX || event.deltaY) / view.scale; draw(); } else zoom(Math.exp(-event.deltaY / 400), event.offsetX); }, {passive: false});
  let dragged = null;
  chart.addEventListener("pointerdown", event => { dragged = {x: event.clientX, from: view.from}; chart.setPointerCapture(event.pointerId); });
  chart.addEventListener("pointermove", event => {
    if (!dragged) return hover(event.clientX, event.clientY);
    view.from = dragged.from - (event.clientX - dragged.x) / view.scale;
    draw();
  });
  chart.addEventListener("pointerup", () => { dragged = null; });
  chart.addEventListener("pointerleave", () => { tip.style.display = "none"; if (hovered >= 0) { hovered = -1; draw(); } });
  chart.addEventListener("blur", () => { tip.style.display = "none"; });
  chart.addEventListener("keydown", event => {
    const way = event.shiftKey && {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (way) { walk(...way); event.preventDefault(); return; }
    const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -8, PageDown: 8}[event.key];
    if (move) { view.from += move * width() / view.scale / 8; draw(); }
    else if (event.key === "+") zoom(1.5, margin + width() / 2);
    else if (event.key === "-") zoom(1 / 1.5, margin + width() / 2);
    else if (event.key === "Home") { view.from = first; draw(); }
    else if (event.key === "End") { view.from = last; draw(); }
    else if (event.key === "a") { allArrows.checked = !allArrows.checked; draw(); }
    else if (event.key === "Escape") { chosen = -1; tell(-1); draw(); }
    else return;
    event.preventDefault();
  });
  overview.addEventListener("pointerdown", event => show(first + (event.offsetX - margin) / (overview.clientWidth - margin) * cycles));
  document.getElementById("search").addEventListener("submit", event => { event.preventDefault(); search(document.getElementById("wanted").value, 1); });
  document.getElementById("previous").addEventListener("click", () => search(document.getElementById("wanted").value, -1));
  document.getElementById("in").addEventListener("click", () => zoom(2, margin + width() / 2));
  document.getElementById("out").addEventListener("click", () => zoom(.5, margin + width() / 2));
  document.getElementById("all").addEventListener("click", () => { view.scale = 0; draw(); });
  addEventListener("resize", draw);
  allArrows.addEventListener("change", draw);
  document.getElementById("profile").addEventListener("toggle", draw);
  // Paper is light, and shows the whole profile.
  addEventListener("beforeprint", () => { document.documentElement.classList.add("printing"); tell(-1); draw(); });
  addEventListener("afterprint", () => { document.documentElement.classList.remove("printing"); draw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // For tests: what is shown, and where on the screen its boxes are.
  window.schedule = {
    view,
    boxes: () => {
      const at = chart.getBoundingClientRect();
      return hits.filter(hit => hit[4] >= 0 && (hit[1] > axis + 4 || laneOf(hit[4]) === 0)).map(([x, y, wide, high, i]) => ({x: at.left + x, y: at.top + y, wide, high, text: textOf(i), begin: beginOf(i), lane: lanes[laneOf(i)]}));
    },
    lives: () => {
      const at = chart.getBoundingClientRect();
      return hits.filter(hit => hit[4] <= -2).map(([x, y, wide, high, i]) => ({x: at.left + x, y: at.top + y, wide, high, told: describe(i)}));
    },
    events: () => Array.from({length: count}, (_, i) => ({begin: beginOf(i), lane: laneOf(i), text: textOf(i), kind: kindOf(i), row: rowOf(i), word: wordOf(i), told: describe(i)})),
  };
  if (texts.steady > first) view.from = texts.steady;
  drawProfile();
  draw();
})();
