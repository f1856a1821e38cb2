// What the page of `explore` does. Everything that it shows is in the element "data".
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
// Firmware has no rows.
const row_cycles = data.columns.indexOf("cycles_per_row");
const measure = data.rows.some(row => row[row_cycles] !== null) || !data.columns.includes("cycles") ? "cycles_per_row" : "cycles";
const unit_of = key => key === "cycles_per_row" ? "cycles a row" : "cycles";
const paths = data.parameters.map(p => p.path);
const parameter_of = Object.fromEntries(data.parameters.map(p => [p.path, p]));

const points = data.rows.map((values, index) => {
    const point = {index, picture: data.picture_of_row[index], slots: data.slots_of_row[index]};
    data.columns.forEach((column, i) => { point[column] = values[i]; });
    point.state = point.status !== "ok" ? "failed" : point.valid === "false" || point.verdict === "broken" ? "wrong" : "right";
    point.name = point.kernel.slice(data.folder.length);
    point.series = point.name + (data.schedules.length > 1 || point.schedule !== "keep" ? " (" + point.schedule + ")" : "");
    return point;
});
const all_series = [...new Set(points.map(p => p.series))];
const numeric_columns = data.columns.filter(c => points.some(p => typeof p[c] === "number") &&
                                                 points.every(p => p[c] === null || typeof p[c] === "number"));
const measures = [measure, ...numeric_columns.filter(c => c !== measure && c !== "point" && c !== "seed" && !paths.includes(c))];
const values_of = Object.fromEntries(paths.map(path => {
    const values = [...new Set(points.map(p => p[path]))];
    return [path, values.every(v => typeof v === "number") ? values.sort((a, b) => a - b) : values];
}));
/// Parameters that have more than one value.
const varied = paths.filter(path => values_of[path].length > 1);

const $ = id => document.getElementById(id);
function element(name, properties, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {}))
        if (key in made) made[key] = value;
        else made.setAttribute(key, value);
    made.append(...children);
    return made;
}
/// A name that may be broken behind its dots and underscores, where a column is narrow.
const breakable = name => String(name).split(/(?<=[._/])/).flatMap((part, i) => i ? [element("wbr"), part] : [part]);
const shown = value => value === null || value === undefined ? "" : typeof value !== "number" ? String(value)
    : Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 1 ? 3 : 2);
const cycles = value => value === null ? "-" : Number.isInteger(value) && measure === "cycles" ? String(value) : value.toFixed(2);
/// The measure that a kernel or program has.
const measure_of = own => own.some(p => p[measure] !== null) ? measure : "cycles";
const machine_text = point => varied.length ? varied.map(path => path + " = " + shown(point[path])).join(", ") : "the baseline's machine";
const picture_of = point => point.picture === null ? null : data.pictures.of[point.picture];
const file_of = path => path.slice(path.lastIndexOf("/") + 1);
/// Places in a kernel without the folder that it stands in.
function placed(point, text) {
    const picture = picture_of(point);
    return picture && text ? text.replaceAll(picture.name + ":", file_of(picture.name) + ":") : text;
}
const why_of = point => point.status !== "ok" ? point.status + ": " + point.error : placed(point, point.binds);
/// Without what would be gained: "Issue binds: 8 words a row".
const why_in_short = point => why_of(point).split(";")[0];
/// What binds, by name: "issue", "MAD and load".
const binder = point => {
    const name = (point.binds || "").split(/ binds?\b/)[0].replace(/^The (.)/, "$1");
    return /^[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name;
};
const results_text = point => point.state === "failed" ? point.status : point.valid === "true" ? point.state : point.state === "wrong" ? "wrong" : "unknown";

const is_baseline = point => data.parameters.every(p => shown(point[p.path]) === p.baseline);
const changes_of = point => data.parameters.filter(p => shown(point[p.path]) !== p.baseline).length;
const figure = (point, key) => key === "cycles_per_row" ? cycles(point[key]) : shown(point[key]);
/// Less is better: by measure, then cost, then changes of the baseline's machine, then the order of the sweep.
const better = key => (a, b) => a[key] - b[key] || a.cost - b.cost || changes_of(a) - changes_of(b) || a.index - b.index;
/// The best of some points: with right results if there are any, else null.
function best_of(some, key = measure) {
    const candidates = some.filter(p => p.state === "right" && p[key] !== null);
    return candidates.sort(better(key))[0] || null;
}
/// Points that differ from one in a single parameter, in the order of its values, that one included.
function line_through(point, path) {
    const same = p => p.series === point.series && p.seed === point.seed && paths.every(q => q === path || p[q] === point[q]);
    return values_of[path].map(v => points.find(p => p[path] === v && same(p))).filter(Boolean);
}

// ---- the page's head and the best points ----

function say_what_this_is() {
    const count = {right: 0, wrong: 0, failed: 0};
    for (const p of points) ++count[p.state];
    const many = (n, word) => n + " " + word + (n === 1 ? "" : "s");
    const parts = [many(points.length, "point"), many(new Set(points.map(p => p.kernel)).size, "kernel"),
                   varied.length ? "parameters " + varied.map(path => path + " (" + values_of[path].map(shown).join(", ") + ")").join(", ")
                                 : "one machine"];
    $("about").textContent = parts.join("; ") + ". " + count.right + " have right results, " + count.wrong + " compute something else, " +
        count.failed + " failed.";
}

function neighbours_table(best, key) {
    const rows = [];
    for (const path of varied) {
        const line = line_through(best, path);
        if (line.length < 2) continue;
        line.forEach((p, i) => {
            const row = element("tr", {className: "hit" + (p === best ? " here" : "")},
                ...(i ? [] : [element("td", {rowSpan: line.length, title: parameter_of[path].help}, ...breakable(path))]),
                element("td", {className: "number"}, shown(p[path]) + (shown(p[path]) === parameter_of[path].chip ? " (chip)" : "")),
                element("td", {className: "number"}, p.status === "ok" ? figure(p, key) : "-"),
                element("td", {className: "number"}, shown(p.cost)),
                element("td", {className: p.state}, results_text(p)),
                element("td", {className: "words"}, p === best ? "the best point" : cut_short(why_in_short(p))));
            row.addEventListener("click", () => show(p));
            rows.push(row);
        });
    }
    if (!rows.length) return "";
    const heads = ["parameter", "value", unit_of(key), "cost", "results", "what binds"];
    return element("div", {className: "scroll"}, element("table", {},
        element("thead", {}, element("tr", {}, ...heads.map((h, i) => element("th", {className: i > 0 && i < 4 ? "number" : ""}, h)))),
        element("tbody", {}, ...rows)));
}

function say_what_is_best() {
    for (const series of all_series) {
        const own = points.filter(p => p.series === series);
        const key = measure_of(own), best = best_of(own, key);
        const card = element("article", {className: "card"}, element("h3", {}, series));
        $("cards").append(card);
        if (!best) {
            const first = own[0];
            card.append(element("p", {className: "wrong"}, "No point has right results. " + (first.error || "")));
            continue;
        }
        card.append(element("div", {className: "figure"}, figure(best, key), element("small", {}, " " + unit_of(key) + ", point " + best.point +
            ", cost " + shown(best.cost))));
        card.append(element("p", {}, "Machine: " + machine_text(best) + (is_baseline(best) ? " (the baseline)." : ".")));
        if (why_of(best)) card.append(element("p", {className: "why"}, why_of(best)));
        const base = best_of(own.filter(is_baseline), key);
        if (base && base !== best)
            card.append(element("p", {}, "The baseline (point " + base.point + ") takes " + figure(base, key) +
                (base.binds ? ". There: " + why_in_short(base) + "." : ".")));
        const equals = own.filter(p => p !== best && p.state === "right" && p[key] === best[key]).length;
        const faster = own.filter(p => p.state === "wrong" && p[key] !== null && p[key] < best[key]).length;
        const notes = [];
        if (equals) notes.push(equals + (equals === 1 ? " other point is" : " other points are") + " as fast and " + (equals === 1 ? "costs" : "cost") + " as much or more.");
        if (faster) notes.push(faster + (faster === 1 ? " point looks" : " points look") + " faster, but compute" + (faster === 1 ? "s" : "") + " something else.");
        if (notes.length) card.append(element("p", {}, notes.join(" ")));
        const button = element("button", {className: "show-best"}, "Show its schedule");
        button.addEventListener("click", () => show(best));
        card.append(element("p", {}, button), neighbours_table(best, key));
    }
}

// ---- the table ----

const words_columns = new Set(["bound_reason", "error", "binds", "dependences"]);
const brief = ["point", "kernel", ...(data.seeded ? ["seed"] : []), ...varied, ...(data.schedules.length > 1 ? ["schedule"] : []),
               measure, "cost", "results", "binds", "verdict"];
/// Long texts, such as what is wrong with a kernel, stand in the details.
const cut_short = text => text.length > 120 ? text.slice(0, 117).trimEnd() + "..." : text;
const rows_at_first = 400;
let sorted_by = null, descending = false, all_rows = false;

const field = (point, column) => column === "results" ? results_text(point) : point[column];
function compare(a, b) {
    const x = field(a, sorted_by), y = field(b, sorted_by);
    const empty = v => v === null || v === "" || v === undefined;
    if (empty(x) || empty(y)) return empty(x) - empty(y) || a.index - b.index; // those without a value last
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x) < String(y) ? -1 : String(x) > String(y) ? 1 : 0;
    return (descending ? -order : order) || a.index - b.index;
}

/// A word of the filter as a function of a point: "cost<4", "mad_units=2", or text that stands anywhere in the row.
function condition_of(word) {
    const parts = word.match(/^([A-Za-z_][\w.-]*?)(<=|>=|!=|=|<|>)(.+)$/);
    const columns = parts ? [...data.columns, "results"].filter(c => c === parts[1] || c.endsWith("." + parts[1])) : [];
    if (!columns.length) return p => data.columns.some(c => shown(p[c]).toLowerCase().includes(word)) || results_text(p).includes(word);
    const [, , sign, text] = parts, wanted = Number(text);
    return p => {
        const value = field(p, columns[0]);
        if (value === null || value === undefined) return false;
        const a = typeof value === "number" ? value : String(value).toLowerCase();
        const b = typeof value === "number" ? wanted : text;
        return sign === "=" ? a === b : sign === "!=" ? a !== b : sign === "<" ? a < b : sign === ">" ? a > b : sign === "<=" ? a <= b : a >= b;
    };
}

function fill_table() {
    const columns = $("all-columns").checked ? [...data.columns] : brief;
    const kernel = $("of-kernel").value, results = $("of-results").value;
    const conditions = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean).map(condition_of);
    let list = points.filter(p => (!kernel || p.kernel === kernel) && (!results || p.state === results) && conditions.every(c => c(p)));
    if (sorted_by) list = [...list].sort(compare);
    $("shown").textContent = list.length + " of " + points.length + " points.";
    const head = element("tr");
    for (const column of columns) {
        const button = element("button", {type: "button"}, ...breakable(column));
        button.addEventListener("click", () => {
            descending = sorted_by === column && !descending;
            sorted_by = column;
            fill_table();
        });
        head.append(element("th", {className: numeric_columns.includes(column) ? "number" : "", title: (parameter_of[column] || {}).help || "",
            "aria-sort": sorted_by !== column ? "none" : descending ? "descending" : "ascending"}, button));
    }
    $("table").tHead.replaceChildren(head);
    const cut = all_rows ? list : list.slice(0, rows_at_first);
    $("more").hidden = cut.length === list.length;
    $("more").textContent = "Show all " + list.length + " rows";
    $("table").tBodies[0].replaceChildren(...cut.map(p => {
        const row = element("tr", {tabIndex: 0}, ...columns.map(column => {
            const value = field(p, column);
            return element("td", {className: [typeof value === "number" ? "number" : "", column === "results" || column === "valid" ? p.state : "",
                words_columns.has(column) ? "words" : ""].join(" ").trim()},
                ...(column === measure && value !== null ? [cycles(value)] : column === "binds" && columns === brief ? [cut_short(why_in_short(p))]
                    : column === "kernel" ? breakable(p.name) : [shown(value)]));
        }));
        row.dataset.row = p.index;
        return row;
    }));
}

function start_table() {
    fill_select($("of-kernel"), ["", ...new Set(points.map(p => p.kernel))], v => v ? v.slice(data.folder.length) : "all");
    for (const id of ["of-kernel", "of-results", "filter", "all-columns"]) $(id).addEventListener("input", fill_table);
    $("more").addEventListener("click", () => { all_rows = true; fill_table(); });
    const open = event => {
        const row = event.target.closest("tr");
        if (row && row.dataset.row) show(points[row.dataset.row]);
    };
    $("table").tBodies[0].addEventListener("click", open);
    $("table").tBodies[0].addEventListener("keydown", event => { if (event.key === "Enter") open(event); });
    fill_table();
}

// ---- one point ----

const lines_of = picture => !picture ? [] : picture.text.map(i => data.pictures.parts[i]).join("").trimEnd().split("\n").filter((line, i, all) => all.length > 1 || line);
/// The lines of the point's kernel that a text speaks of: "mul32.s:14" is line 14.
function numbers_of_places(point, text) {
    const picture = picture_of(point), lines = lines_of(picture);
    if (!lines.length) return [];
    const found = text.split(file_of(picture.name) + ":").slice(1).map(rest => parseInt(rest, 10));
    return [...new Set(found.filter(number => number >= 1 && number <= lines.length))].sort((a, b) => a - b);
}
/// A text whose places in the kernel lead to its lines.
function with_places(point, text) {
    let parts = [text];
    for (const number of numbers_of_places(point, text).reverse()) {
        const place = file_of(picture_of(point).name) + ":" + number;
        parts = parts.flatMap(part => typeof part !== "string" ? [part] : part.split(place).flatMap((piece, i) => {
            if (!i) return [piece];
            const link = element("button", {type: "button", className: "place", title: "Show this line"}, place);
            link.addEventListener("click", () => show_line(number));
            return [link, piece];
        }));
    }
    return parts;
}
function show_line(number) {
    $("kernel").open = true;
    const spans = [...$("kernel-text").children];
    spans.forEach((span, i) => { span.className = i === number - 1 ? "named" : ""; });
    spans[number - 1].scrollIntoView({block: "center"});
}

function show(point) {
    $("details-title").textContent = "Point " + point.point + ": " + point.series + (point[measure] !== null ? ", " + cycles(point[measure]) + " " + unit_of(measure) : "");
    const picture = picture_of(point);
    $("details-why").replaceChildren(...with_places(point, [why_of(point), "Machine: " + machine_text(point) + ".",
        "Results: " + results_text(point) + "."].filter(Boolean).join(" ")));
    const root = $("picture").shadowRoot || $("picture").attachShadow({mode: "open"});
    root.innerHTML = picture ? picture.parts.map(i => data.pictures.parts[i]).join("") : "<p>There is no picture of this point.</p>";
    $("picture").scrollLeft = 0;
    $("details-hint").textContent = !picture ? "" : "Time runs from left to right, a column for each cycle; colours tell rows of the kernel apart. " +
        "Solid boxes are scheduled by macros, pale ones are issued. Hatched cycles at Issue are held." +
        (picture.name === data.written ? " The kernel is the one that the optimiser wrote for this machine." : "");
    $("slots").replaceChildren(...Object.entries(point.slots || {}).map(([resource, parts]) => {
        const all = parts.reduce((a, b) => a + b, 0);
        const percent = part => (all ? 100 * part / all : 0).toFixed(1) + " %";
        const names = ["busy", "blocked", "idle"];
        const bar = element("div", {className: "bar"}, ...parts.map((part, i) => {
            const piece = element("span", {className: names[i]});
            piece.style.width = (all ? 100 * part / all : 0) + "%";
            return piece;
        }));
        return element("div", {className: "slot"}, element("b", {}, resource), bar,
            element("span", {}, names.map((name, i) => name + " " + percent(parts[i])).join(", ")));
    }));
    if (!point.slots) $("slots").textContent = "Not known.";
    const lines = lines_of(picture);
    $("kernel").hidden = !lines.length;
    $("kernel").open = false;
    $("kernel-name").textContent = !picture ? "" : picture.name === data.written ? "The kernel that was written for this machine, " + data.written
        : "The kernel, " + file_of(picture.name);
    $("kernel-text").replaceChildren(...lines.map((line, i) => element("span", {}, String(i + 1).padStart(4) + "  " + line + "\n")));
    const named = numbers_of_places(point, why_of(point) + " " + placed(point, point.dependences || ""));
    $("details-lines").replaceChildren(...named.flatMap(number => [element("dt", {}, file_of(picture.name) + ":" + number),
        element("dd", {}, element("code", {}, lines[number - 1].trim()))]));
    $("details-lines").hidden = !named.length;
    $("details-command").textContent = picture ? picture.command : "";
    $("details-table").replaceChildren(...data.columns.filter(c => point[c] !== null && point[c] !== "")
        .map(c => element("tr", {}, element("th", {}, c), element("td", {className: words_columns.has(c) ? "words" : ""}, shown(point[c])))));
    $("details").showModal();
    $("details").scrollTop = 0;
}

// ---- charts ----

function fill_select(select, values, text = v => v) {
    select.replaceChildren(...values.map(v => element("option", {value: v}, text(v))));
}
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const series_colour = i => colour("--s" + i % 6);
const point_styles = ["circle", "rect", "triangle", "rectRot", "star", "cross"];
const charts = {};

function draw(id, config) {
    if (!window.Chart) return;
    if (charts[id]) charts[id].destroy();
    Chart.defaults.color = colour("--text");
    Chart.defaults.borderColor = colour("--line");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 13;
    Object.assign(config.options, {animation: false, responsive: true, maintainAspectRatio: false,
        onClick: (event, hits, chart) => {
            const raw = hits.length && chart.data.datasets[hits[0].datasetIndex].data[hits[0].index];
            if (raw && raw.point) show(raw.point);
        }});
    charts[id] = new Chart($(id), config);
}
/// A legend of the curves' own colours, whatever their first point looks like.
const legend = {position: "bottom", labels: {usePointStyle: true, generateLabels: chart =>
    Chart.defaults.plugins.legend.labels.generateLabels(chart).map(label =>
        ({...label, strokeStyle: chart.data.datasets[label.datasetIndex].borderColor, lineWidth: 2}))}};
const axis = (text, more) => ({title: {display: true, text}, ...more});
const tooltip_of_points = {callbacks: {
    title: items => items.length && items[0].raw.point ? "Point " + items[0].raw.point.point + ": " + items[0].raw.point.series : "",
    label: item => item.raw.point ? [item.chart.options.scales.y.title.text + " " + shown(item.raw.y), ...varied.map(path => path + " = " + shown(item.raw.point[path])),
                                     "results " + results_text(item.raw.point)] : shown(item.raw.y),
}};

/// Values of a parameter as an axis: numbers where they are, else names.
function value_axis(path) {
    const values = values_of[path];
    if (!values.every(v => typeof v === "number")) return axis(path, {type: "category", labels: values.map(shown)});
    return axis(path, {type: "linear", min: values[0], max: values[values.length - 1], offset: true,
                       afterBuildTicks: scale => { scale.ticks = values.map(value => ({value})); }});
}
const at_value = value => typeof value === "number" ? value : shown(value);

function fixed_values() {
    const fixed = {};
    for (const select of $("curve-fixed").querySelectorAll("select")) if (select.value) fixed[select.dataset.path] = select.value;
    return fixed;
}
function offer_fixed_values() {
    const path = $("curve-parameter").value;
    $("curve-fixed").replaceChildren(...varied.filter(other => other !== path).map(other => {
        const select = element("select", {"data-path": other});
        fill_select(select, ["", ...values_of[other].map(shown)], v => v || "the best");
        select.addEventListener("input", draw_curves);
        return element("label", {}, other + " ", select);
    }));
}
function draw_curves() {
    const path = $("curve-parameter").value, key = $("curve-measure").value, fixed = fixed_values();
    if (!path) return;
    const some = points.filter(p => p.status === "ok" && p[key] !== null && Object.entries(fixed).every(([q, v]) => shown(p[q]) === v));
    const datasets = all_series.map((series, i) => {
        const list = [];
        for (const value of values_of[path]) {
            const here = some.filter(p => p.series === series && p[path] === value);
            const best = best_of(here, key) || here.sort(better(key))[0];
            if (best) list.push({x: at_value(value), y: best[key], point: best});
        }
        const right = d => d.point.state === "right";
        return {label: series, data: list, borderColor: series_colour(i), backgroundColor: series_colour(i), borderWidth: 2,
                pointRadius: list.map(d => right(d) ? 5 : 7), pointStyle: list.map(d => right(d) ? point_styles[i % 4] : "crossRot"),
                pointBorderColor: list.map(d => right(d) ? series_colour(i) : colour("--bad")), pointBorderWidth: list.map(d => right(d) ? 1 : 3),
                segment: {borderDash: c => list[c.p0DataIndex] && right(list[c.p0DataIndex]) && right(list[c.p1DataIndex]) ? undefined : [3, 5]}};
    }).filter(set => set.data.length);
    let hidden = false;
    datasets.forEach((set, i) => {
        const below = widening(datasets, i);
        hidden = hidden || below > 0;
        set.borderWidth += 4 * below;
        set.pointRadius = set.pointRadius.map(radius => radius + 3 * below);
    });
    $("curve-hint").hidden = !hidden;
    draw("curve-chart", {type: "line", data: {datasets}, options: {
        scales: {x: value_axis(path), y: axis(key, {beginAtZero: true, grace: "8%"})},
        plugins: {tooltip: tooltip_of_points, legend}}});
}

/// The first curve is on top. By how many steps one is broader, so that those on top of it, where they have the same values, do not hide it.
function widening(sets, i) {
    const same = (a, b) => a.data.some(p => b.data.some(q => p.x === q.x && p.y === q.y));
    return Math.min(4, sets.slice(0, i).filter(set => same(set, sets[i])).length);
}

function draw_heat() {
    const x = $("heat-x").value, y = $("heat-y").value, series = $("heat-kernel").value, key = $("heat-measure").value;
    const own = points.filter(p => p.series === series && p.status === "ok" && p[key] !== null);
    const cell = (a, b) => {
        const here = own.filter(p => p[x] === a && p[y] === b);
        return best_of(here, key) || here.sort(better(key))[0] || null;
    };
    const cells = values_of[y].map(b => values_of[x].map(a => cell(a, b)));
    const found = cells.flat().filter(p => p && p.state === "right").map(p => p[key]);
    const least = Math.min(...found), most = Math.max(...found);
    const head = element("tr", {}, element("th", {}, y + " \u2193  " + x + " \u2192"), ...values_of[x].map(v => element("th", {}, shown(v))));
    const body = values_of[y].map((b, i) => element("tr", {}, element("th", {}, shown(b)), ...cells[i].map(p => {
        if (!p) return element("td", {}, "-");
        const strength = p.state !== "right" ? 0 : most > least ? 0.08 + 0.5 * (most - p[key]) / (most - least) : 0.3;
        const made = element("td", {className: "hit " + (p.state === "right" ? "" : p.state), tabIndex: 0},
            key === measure ? cycles(p[key]) : shown(p[key]), element("small", {}, p.state === "right" ? binder(p) : "wrong results"));
        made.style.background = "rgba(" + colour("--heat") + "," + strength.toFixed(3) + ")";
        made.addEventListener("click", () => show(p));
        return made;
    })));
    $("heat-map").replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
}

function draw_pareto() {
    const x = $("pareto-x").value, y = $("pareto-y").value, kernel = $("pareto-kernel").value;
    const own = points.filter(p => (!kernel || p.series === kernel) && p.state === "right" && p[x] !== null && p[y] !== null);
    const fronts = [], rests = [], sentences = [];
    for (const series of all_series.filter(s => !kernel || s === kernel)) {
        const i = all_series.indexOf(series);
        const mine = own.filter(p => p.series === series).sort((a, b) => a[x] - b[x] || a[y] - b[y] || a.index - b.index);
        if (!mine.length) continue;
        const front = [];
        for (const p of mine) if (!front.length || p[y] < front[front.length - 1][y]) front.push(p);
        const entry = p => ({x: p[x], y: p[y], point: p});
        fronts.push({type: "line", label: series + ": front", data: front.map(entry), borderColor: series_colour(i), backgroundColor: series_colour(i),
                   stepped: "before", pointRadius: 6, pointStyle: point_styles[i % 4], borderWidth: 2});
        rests.push({type: "scatter", label: series, data: mine.filter(p => !front.includes(p)).map(entry), borderColor: series_colour(i),
                   backgroundColor: "transparent", pointRadius: 4, pointStyle: point_styles[i % 4]});
        sentences.push(series + ": " + front.map(p => shown(p[y]) + " at " + x + " " + shown(p[x]) + " (point " + p.point + ")").join(", then ") + ".");
    }
    fronts.forEach((set, i) => {
        set.borderWidth += 4 * widening(fronts, i);
        set.pointRadius += 3 * widening(fronts, i);
    });
    $("pareto-front").textContent = "The front, " + y + " from the least " + x + " on. " + sentences.join(" ");
    draw("pareto-chart", {data: {datasets: [...fronts, ...rests.filter(set => set.data.length)]}, options: {
        scales: {x: axis(x, {type: "linear", beginAtZero: true, suggestedMax: 1}), y: axis(y, {beginAtZero: y === measure, grace: "8%"})},
        plugins: {tooltip: tooltip_of_points, legend}}});
}

/// For a parameter and a series: groups of points that differ in nothing else, and how far their cycles spread.
function spread_of(path, series) {
    const groups = new Map(), own = points.filter(p => p.series === series), spread = measure_of(own);
    for (const p of own) {
        if (p.state !== "right" || p[spread] === null) continue;
        const key = JSON.stringify([p.seed, ...paths.filter(q => q !== path).map(q => p[q])]);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(p[spread]);
    }
    const spreads = [...groups.values()].filter(g => g.length > 1).map(g => Math.max(...g) - Math.min(...g));
    return {groups: spreads.length, mean: spreads.length ? spreads.reduce((a, b) => a + b, 0) / spreads.length : null,
            most: spreads.length ? Math.max(...spreads) : null};
}
function draw_sensitivity() {
    const found = all_series.map(series => varied.map(path => spread_of(path, series)));
    const order = varied.map((path, i) => i).sort((a, b) => Math.max(...found.map(f => f[b].mean || 0)) - Math.max(...found.map(f => f[a].mean || 0)) || a - b);
    draw("sensitivity-chart", {type: "bar", data: {labels: order.map(i => varied[i]),
        datasets: all_series.map((series, s) => ({label: series, data: order.map(i => found[s][i].mean), backgroundColor: series_colour(s), maxBarThickness: 28}))},
        options: {indexAxis: "y", scales: {x: axis("mean spread, " + unit_of(measure), {beginAtZero: true, suggestedMax: 1}), y: {}},
                  plugins: {legend: {position: "bottom"}}}});
    const heads = ["parameter", "kernel", "mean spread", "largest", "groups", "what it is"];
    $("sensitivity-table").replaceChildren(element("thead", {}, element("tr", {}, ...heads.map((h, i) => element("th", {className: i > 1 && i < 5 ? "number" : ""}, h)))),
        element("tbody", {}, ...order.flatMap(i => all_series.map((series, s) => {
            const f = found[s][i];
            return element("tr", {}, element("td", {}, ...breakable(varied[i])), element("td", {}, ...breakable(series)),
                element("td", {className: "number"}, f.mean === null ? "-" : cycles(f.mean)), element("td", {className: "number"}, f.most === null ? "-" : cycles(f.most)),
                element("td", {className: "number"}, String(f.groups)),
                element("td", {className: "words"}, f.groups ? parameter_of[varied[i]].help : "no two points with right results differ in this alone"));
        }))));
}

function start_charts() {
    if (!varied.length) for (const id of ["curves", "heat", "sensitivity"]) $(id).hidden = true;
    if (varied.length < 2) $("heat").hidden = true;
    if (data.library_problem)
        for (const box of document.querySelectorAll(".chart")) {
            box.classList.add("missing");
            box.textContent = "No chart: " + data.library_problem;
        }
    fill_select($("curve-parameter"), varied);
    fill_select($("curve-measure"), measures);
    fill_select($("heat-kernel"), all_series);
    fill_select($("heat-measure"), measures);
    fill_select($("heat-x"), varied);
    fill_select($("heat-y"), varied);
    if (varied.length > 1) $("heat-y").value = varied[1];
    fill_select($("pareto-kernel"), ["", ...all_series], v => v || "all");
    fill_select($("pareto-x"), measures);
    fill_select($("pareto-y"), measures);
    $("pareto-x").value = "cost";
    const connect = (ids, act) => { for (const id of ids) $(id).addEventListener("input", act); };
    connect(["curve-parameter"], () => { offer_fixed_values(); draw_curves(); });
    connect(["curve-measure"], draw_curves);
    connect(["heat-kernel", "heat-measure", "heat-x", "heat-y"], draw_heat);
    connect(["pareto-kernel", "pareto-x", "pareto-y"], draw_pareto);
    offer_fixed_values();
    draw_all();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_all);
}
function draw_all() {
    if (varied.length) draw_curves();
    if (varied.length > 1) draw_heat();
    draw_pareto();
    if (varied.length) draw_sensitivity();
}

say_what_this_is();
say_what_is_best();
start_table();
start_charts();
})();
