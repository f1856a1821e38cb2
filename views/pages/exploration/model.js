// What is known, and how it is told. Everything that the page shows is in the element "data".
const data = JSON.parse(document.getElementById("data").textContent);
// Firmware has no rows.
const row_cycles = data.columns.indexOf("cycles_per_row");
const measure = data.rows.some(row => row[row_cycles] !== null) || !data.columns.includes("cycles") ? "cycles_per_row" : "cycles";
const unit_of = key => key === "cycles_per_row" ? "cycles a row" : "cycles";
const paths = data.parameters.map(p => p.path);
const parameter_of = Object.fromEntries(data.parameters.map(p => [p.path, p]));

/// Runs, one for each row of the results.
const points = data.rows.map((values, index) => {
    const point = {index, picture: data.picture_of_row[index], slots: data.slots_of_row[index]};
    data.columns.forEach((column, i) => { point[column] = values[i]; });
    point.state = point.status !== "ok" ? "failed" : point.valid === "false" ? "wrong" : point.verdict === "broken" ? "hazard"
        : point.valid === "true" ? "right" : "unknown";
    point.fit = point.state === "right" || point.state === "unknown"; // its cycles mean something
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
/// A table of texts or elements; `numbers` are the columns of numbers.
function table_of(heads, rows, numbers = []) {
    return element("div", {className: "scroll"}, element("table", {},
        element("thead", {}, element("tr", {}, ...heads.map((h, i) => element("th", {className: numbers.includes(i) ? "number" : ""}, h)))),
        element("tbody", {}, ...rows)));
}
const cell = (content, className = "") => element("td", {className}, ...(Array.isArray(content) ? content : [content]));

/// A name that may be broken behind its dots and underscores, where a column is narrow.
const breakable = name => String(name).split(/(?<=[._/])/).flatMap((part, i) => i ? [element("wbr"), part] : [part]);
const shown = value => value === null || value === undefined ? "" : typeof value !== "number" ? String(value)
    : Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 1 ? 3 : 2);
const cycles = value => value === null ? "-" : Number.isInteger(value) && measure === "cycles" ? String(value) : value.toFixed(2);
/// A schedule was looked for, and a shorter one may exist: the cycles of the best lie between two numbers.
const is_open = point => point.schedule !== "keep" && point.status === "ok" && !point.proved && point.cycles_per_row !== null && point.cycles_per_row_from !== point.cycles_per_row;
const range_of = point => point.cycles_per_row_from ? cycles(point.cycles_per_row_from) + " to " + cycles(point.cycles_per_row) : "at most " + cycles(point.cycles_per_row);
const figure = (point, key) => key !== "cycles_per_row" ? shown(point[key]) : is_open(point) ? range_of(point) : cycles(point[key]);
const many = (n, word) => n + " " + word + (n === 1 ? "" : "s");
const listed = words => words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " and " + words[words.length - 1];
/// The measure that a kernel or program has.
const measure_of = own => own.some(p => p[measure] !== null) ? measure : "cycles";
const file_of = path => path.slice(path.lastIndexOf("/") + 1);

const is_baseline = point => data.parameters.every(p => shown(point[p.path]) === p.baseline);
const changed_paths = point => paths.filter(path => shown(point[path]) !== parameter_of[path].baseline);
const changes_of = point => changed_paths(point).length;
const machine_text = point => varied.length ? varied.map(path => path + " = " + shown(point[path])).join(", ") : "the baseline's machine";
/// How a machine differs from the baseline's.
const changes_text = point => is_baseline(point) ? "the baseline's machine"
    : changed_paths(point).map(path => path + " " + parameter_of[path].baseline + " \u2192 " + shown(point[path])).join(", ");

const picture_of = point => point.picture === null ? null : data.pictures.of[point.picture];
/// Places in a kernel without the folder that it stands in.
function placed(point, text) {
    const picture = picture_of(point);
    return picture && text ? text.replaceAll(picture.name + ":", file_of(picture.name) + ":") : text;
}
const why_of = point => point.status !== "ok" ? point.status + ": " + point.error : placed(point, point.binds);
/// Without what would be gained: "Issue binds: 8 words a row".
const why_in_short = point => why_of(point).split(";")[0];
/// What binds, by name: "issue", "MAD and load".
const binder = point => data.binder_of_row[point.index];
const results_text = point => point.state === "failed" ? point.status : point.state;
/// Long texts, such as what is wrong with a kernel, stand in the details.
const cut_short = text => text.length > 120 ? text.slice(0, 117).trimEnd() + "..." : text;

/// Less is better: by measure, then cost, then changes of the baseline's machine, then the order of the
/// sweep.
const better = key => (a, b) => a[key] - b[key] || a.cost - b.cost || changes_of(a) - changes_of(b) || a.index - b.index;
/// The best of some points: of those with right results, else of those that nothing could be compared with,
/// else null.
function best_of(some, key = measure) {
    for (const state of ["right", "unknown"]) {
        const candidates = some.filter(p => p.state === state && p[key] !== null).sort(better(key));
        if (candidates.length) return candidates[0];
    }
    return null;
}
/// Points that differ from one in a single parameter, in the order of its values, that one included.
function line_through(point, path) {
    const same = p => p.series === point.series && p.seed === point.seed && paths.every(q => q === path || p[q] === point[q]);
    return values_of[path].map(v => points.find(p => p[path] === v && same(p))).filter(Boolean);
}
/// For a parameter and a series: groups of points that differ in nothing else, and how far their cycles
/// spread.
function spread_of(path, series) {
    const groups = new Map(), own = points.filter(p => p.series === series), spread = measure_of(own);
    for (const p of own) {
        if (!p.fit || p[spread] === null) continue;
        const key = JSON.stringify([p.seed, ...paths.filter(q => q !== path).map(q => p[q])]);
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(p[spread]);
    }
    const spreads = [...groups.values()].filter(g => g.length > 1).map(g => Math.max(...g) - Math.min(...g));
    return {groups: spreads.length, mean: spreads.length ? spreads.reduce((a, b) => a + b, 0) / spreads.length : null,
            most: spreads.length ? Math.max(...spreads) : null};
}

/// The whole sweep machine by machine: what all kernels together take on each.
function all_machines() {
    const first_of = number => points.find(p => p.point === number);
    const machines = data.machines.map(m => ({...m, any: first_of(m.number),
        results: m.results.map(result => result && {text: result.text, run: points[result.run]})}));
    return {kernels: data.kernels, machines, base: data.baseline_machine === null ? null : machines[data.baseline_machine], ranked: data.ranked.map(i => machines[i])};
}
/// "1.25 x"; of schedules that are not proved with what is known of the best ones: "1.25 x (1.00 to 1.40)".
const speed_text = speed => speed.found.toFixed(2) + " \u00d7" + (speed.least === speed.most ? "" :
    " (" + speed.least.toFixed(2) + (speed.most === null ? " or more)" : " to " + speed.most.toFixed(2) + ")"));
