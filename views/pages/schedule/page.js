"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const texts = JSON.parse(document.getElementById("texts").textContent);
  // [begin, length, lane, text, kind, row, word, where, value]; kinds: 0 issued, 1 scheduled, 2 discarded, 3
  // held, 4 diagnostic, 5 forgotten
  const events = data.events;
  const lanes = ["Issue", "Load", "Simple", "MAD", "Round", "Store"];
  const kinds = ["issued", "scheduled by SFPLOADMACRO", "discarded", "held", "diagnostic", "forgotten"];
  const colours = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2"];
  events.sort((a, b) => a[0] - b[0]);
  const first = texts.first, last = texts.last, cycles = Math.max(1, last - first + 1);
  document.getElementById("summary").textContent = texts.summary;

  const chart = document.getElementById("chart"), overview = document.getElementById("overview"), tip = document.getElementById("tip");
  const margin = 70, axis = 22;
  // What is shown: cycles from `from`, `scale` pixels each.
  const view = {from: first, scale: 40};
  let hits = [], chosen = -1, density = null;
  const width = () => chart.clientWidth - margin;
  const most = () => 160, least = () => Math.min(most(), width() / cycles);

  /** The number of the first event that begins at `cycle` or later. */
  function lower(cycle) {
    let low = 0, high = events.length;
    while (low < high) { const middle = low + high >> 1; if (events[middle][0] < cycle) low = middle + 1; else high = middle; }
    return low;
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
  const short = text => text.replace(/^sfp/, "").split(" ")[0];

  function step() {
    let best = 1;
    for (let power = 1; power < 1e12; power *= 10) for (const size of [1, 2, 5]) { best = size * power; if (best * view.scale >= 60) return best; }
    return best;
  }
  function draw() {
    clamp();
    const pen = prepare(chart), high = chart.clientHeight - axis, lane = high / lanes.length, ink = css("--ink"), line = css("--line");
    hits = [];
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const x = cycle => margin + (cycle - view.from) * view.scale;
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    for (let i = 0; i < lanes.length; ++i) {
      pen.fillText(lanes[i], 8, axis + lane * (i + .5));
      pen.beginPath(); pen.moveTo(0, axis + lane * i); pen.lineTo(chart.clientWidth, axis + lane * i); pen.stroke();
    }
    const every = step();
    for (let cycle = Math.ceil(view.from / every) * every; x(cycle) < chart.clientWidth; cycle += every) {
      pen.fillText(String(cycle), x(cycle) + 2, axis / 2);
      pen.beginPath(); pen.moveTo(x(cycle), 0); pen.lineTo(x(cycle), chart.clientHeight); pen.stroke();
    }
    const to = view.from + width() / view.scale;
    pen.save();
    pen.beginPath(); pen.rect(margin, 0, width(), chart.clientHeight); pen.clip();
    if (view.scale < 3) shares(pen, lane, x, to);
    else for (let i = lower(view.from - 8); i < events.length && events[i][0] <= to; ++i) box(pen, i, lane, x, ink);
    pen.restore();
    drawOverview();
  }
  function box(pen, i, lane, x, ink) {
    const [begin, length, which, text, kind, row] = events[i];
    const left = x(begin) + 1, wide = Math.max(1, length * view.scale - 2), top = axis + lane * which + 5, high = lane - 10;
    const shape = [left, top, wide, high];
    if (kind === 4) {
      pen.fillStyle = css("--bad");
      pen.beginPath(); pen.moveTo(left + view.scale / 2, axis + 2); pen.lineTo(left + view.scale / 2 + 6, axis + 13); pen.lineTo(left + view.scale / 2 - 6, axis + 13); pen.fill();
      hits.push([left, axis, wide, 16, i]);
      return;
    }
    pen.globalAlpha = kind === 1 ? .9 : kind === 0 ? .28 : .15;
    pen.fillStyle = colour(row);
    pen.fillRect(...shape);
    pen.globalAlpha = 1;
    pen.strokeStyle = i === chosen ? css("--mark") : colour(row);
    pen.lineWidth = i === chosen ? 3 : 1;
    if (kind >= 2) pen.setLineDash([4, 3]);
    pen.strokeRect(...shape);
    pen.setLineDash([]);
    pen.lineWidth = 1;
    if (wide > 26) {
      pen.save();
      pen.beginPath(); pen.rect(...shape); pen.clip();
      pen.fillStyle = kind === 1 ? "#ffffff" : ink;
      const words = texts.texts[text];
      pen.fillText(wide > 130 ? words : short(words), left + 4, top + high / 2);
      pen.restore();
    }
    hits.push([...shape, i]);
  }
  /** Far away: in each column of pixels how much of a lane is busy. */
  function shares(pen, lane, x, to) {
    const columns = Math.ceil(width()), busy = lanes.map(() => new Float64Array(columns));
    for (let i = lower(view.from - 8); i < events.length && events[i][0] <= to; ++i) {
      const [begin, , which, , kind] = events[i];
      const column = Math.floor(x(begin) - margin);
      if (kind < 2 && column >= 0 && column < columns) busy[which][column] += view.scale >= 1 ? 1 : view.scale;
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
      for (const [begin, , which, , kind] of events)
        if (kind < 2 && which > 0) density[Math.min(density.length - 1, Math.floor((begin - first) / cycles * wide))] += wide / cycles / 5;
    }
    pen.fillStyle = colours[2];
    density.forEach((share, column) => { const tall = Math.min(1, share) * (high - 6); pen.fillRect(margin + column, high - 3 - tall, 1, tall); });
    pen.strokeStyle = css("--mark");
    pen.lineWidth = 2;
    const left = margin + (view.from - first) / cycles * wide;
    pen.strokeRect(left, 2, Math.max(3, Math.min(wide, width() / view.scale / cycles * wide)), high - 4);
  }
  function describe(i) {
    const [begin, length, which, text, kind, row, word, where, value] = events[i];
    const lines = [texts.texts[text]];
    lines.push(`${lanes[which]}, ${kinds[kind]}, cycle ${begin}${length > 1 ? ` to ${begin + length - 1}` : ""}`);
    if (row >= 0) lines.push(texts.rows_together > 1 ? `rows ${row}-${row + texts.rows_together - 1}` : `row ${row}`);
    if (word >= 0) lines.push(`word ${word}${where ? `, line ${where}` : ""}`);
    if (value) lines.push(value);
    return lines.join("\n");
  }
  function under(px, py) {
    for (let i = hits.length - 1; i >= 0; --i) {
      const [x, y, wide, high, event] = hits[i];
      if (px >= x && px <= x + wide && py >= y && py <= y + high) return event;
    }
    return -1;
  }
  function hover(px, py) {
    const place = chart.getBoundingClientRect(), i = under(px - place.left, py - place.top);
    tip.style.display = i < 0 ? "none" : "block";
    if (i < 0) return;
    tip.textContent = describe(i);
    tip.style.left = Math.max(4, Math.min(px + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, Math.min(py + 14, innerHeight - tip.offsetHeight - 8)) + "px";
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
    if (row) return event => event[5] >= 0 && event[5] <= Number(row[1]) && Number(row[1]) < event[5] + texts.rows_together;
    const register = /^L\d+$/i.test(wanted) ? new RegExp("\\b" + wanted + "\\b", "i") : null;
    const low = wanted.toLowerCase(), known = new Map();
    return event => {
      if (!known.has(event[3])) known.set(event[3], register ? register.test(texts.texts[event[3]]) : texts.texts[event[3]].toLowerCase().includes(low));
      return known.get(event[3]);
    };
  };
  function search(wanted, direction) {
    const found = document.getElementById("found");
    wanted = wanted.trim();
    if (!wanted) { found.textContent = ""; return; }
    const cycle = /^(?:cycle\s+)?(\d+)$/i.exec(wanted);
    if (cycle) {
      const at = Number(cycle[1]), inside = at >= first && at <= last;
      found.textContent = inside ? `cycle ${at}` : `cycles are ${first} to ${last}`;
      if (inside) { if (view.scale < 12) view.scale = 40; show(at); }
      return;
    }
    const fit = fits(wanted), count = events.length;
    for (let n = 1; n <= count; ++n) {
      const i = (((chosen < 0 && direction < 0 ? 0 : chosen) + direction * n) % count + count) % count;
      if (!fit(events[i])) continue;
      chosen = i;
      found.textContent = `cycle ${events[i][0]}`;
      if (view.scale < 12) view.scale = 40;
      show(events[i][0]);
      return;
    }
    found.textContent = "not found";
  }

  /** Shows the next event of a word of the kernel, counted over its three parts. */
  function showWord(place) {
    const counts = {init: 0, loop: 0, tail: 0};
    for (const word of texts.profile.instructions) ++counts[word.part];
    const placeOf = event => event[5] >= 0 ? counts.init + (event[6] - counts.init) % counts.loop : event[6] < counts.init ? event[6] : -1;
    for (let n = 1; n <= events.length; ++n) {
      const i = (Math.max(chosen, lower(texts.steady) - 1) + n) % events.length;
      if (placeOf(events[i]) !== place) continue;
      chosen = i;
      if (view.scale < 12) view.scale = 40;
      show(events[i][0]);
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
  chart.addEventListener("pointerleave", () => { tip.style.display = "none"; });
  chart.addEventListener("keydown", event => {
    const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -8, PageDown: 8}[event.key];
    if (move) { view.from += move * width() / view.scale / 8; draw(); }
    else if (event.key === "+") zoom(1.5, margin + width() / 2);
    else if (event.key === "-") zoom(1 / 1.5, margin + width() / 2);
    else if (event.key === "Home") { view.from = first; draw(); }
    else if (event.key === "End") { view.from = last; draw(); }
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
  document.getElementById("profile").addEventListener("toggle", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // For tests: what is shown, and where on the screen its boxes are.
  window.schedule = {view, boxes: () => { const at = chart.getBoundingClientRect(); return hits.map(([x, y, wide, high, i]) => ({x: at.left + x, y: at.top + y, wide, high, text: texts.texts[events[i][3]], begin: events[i][0], lane: lanes[events[i][2]]})); }};
  if (texts.steady > first) view.from = texts.steady;
  drawProfile();
  draw();
})();
