// The table of all runs.

const words_columns = new Set(["bound_reason", "error", "binds", "dependences", "change"]);
/// A narrow window has no room for a column for each of many parameters: how the machine differs from the
/// baseline's says it all.
const narrow = matchMedia("(max-width: 900px)"), most_narrow_columns = 3;
const brief = () => ["point", "kernel", ...(data.seeded ? ["seed"] : []), ...(narrow.matches && varied.length > most_narrow_columns ? ["change"] : varied), ...(data.schedules.length > 1 ? ["schedule"] : []),
               measure, "cost", "results", "binds", "verdict"];
const rows_at_first = 400;
let sorted_by = null, descending = false, all_rows = false;

const field = (point, column) => column === "results" ? results_text(point) : column === "change" ? changes_text(point) : point[column];
function compare(a, b) {
    const x = field(a, sorted_by), y = field(b, sorted_by);
    const empty = v => v === null || v === "" || v === undefined;
    if (empty(x) || empty(y)) return empty(x) - empty(y) || a.index - b.index; // those without a value last
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x) < String(y) ? -1 : String(x) > String(y) ? 1 : 0;
    return (descending ? -order : order) || a.index - b.index;
}

/// A word of the filter as a function of a point: "cost<4", "mad_units=2", or text that stands anywhere in
/// the row.
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
    const all_columns = $("all-columns").checked, columns = all_columns ? [...data.columns] : brief();
    const kernel = $("of-kernel").value, results = $("of-results").value;
    const conditions = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean).map(condition_of);
    let list = points.filter(p => (!kernel || p.kernel === kernel) && (!results || p.state === results) && conditions.every(c => c(p)));
    if (sorted_by) list = [...list].sort(compare);
    $("shown").textContent = list.length + " of " + points.length + " runs.";
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
                ...(column === measure && value !== null ? [measure === "cycles_per_row" ? figure(p, measure) : cycles(value)] : column === "binds" && !all_columns ? [cut_short(why_in_short(p))]
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
    narrow.addEventListener("change", fill_table);
    fill_table();
}
/// The runs that a filter lets through.
function show_runs(filter) {
    for (const id of ["of-kernel", "of-results"]) $(id).value = "";
    $("filter").value = filter;
    fill_table();
    $("points").scrollIntoView({block: "start"});
}
