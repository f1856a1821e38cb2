// Charts, and the maps beside them.

function fill_select(select, values, text = v => v) {
    select.replaceChildren(...values.map(v => element("option", {value: v}, text(v))));
}
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
/// Colour and mark together tell curves apart, without colours, too: no two of the first 56 are equal.
const series_colour = i => colour("--s" + i % 8);
const point_styles = [["circle", 0], ["rect", 0], ["triangle", 0], ["rectRot", 0], ["star", 0], ["triangle", 180], ["cross", 0]];
const series_mark = i => point_styles[i % point_styles.length][0];
const series_turn = i => point_styles[i % point_styles.length][1];
const series_dash = i => [[], [8, 4], [2, 4], [8, 4, 2, 4]][Math.floor(i / 8) % 4];
const most_series = 8; ///< that one chart can show
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
    Chart.defaults.plugins.legend.labels.generateLabels(chart).filter(label => !chart.data.datasets[label.datasetIndex].is_doubt).map(label =>
        ({...label, pointStyle: chart.data.datasets[label.datasetIndex].mark || label.pointStyle, rotation: chart.data.datasets[label.datasetIndex].pointRotation || 0, strokeStyle: chart.data.datasets[label.datasetIndex].borderColor, lineWidth: 2}))}};
const title_of = key => key === "cycles_per_row" ? unit_of(key) : key === "cost" ? "cost, in registers of 32 bits" : key;
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
        select.value = (data.held[path] || {})[other] || "";
        select.addEventListener("input", draw_curves);
        return element("label", {}, other + " ", select);
    }));
}
/// What a curve does with the other parameters, in words.
function held_text(path, fixed) {
    const others = varied.filter(other => other !== path), best = others.filter(other => !(other in fixed));
    const held = others.filter(other => other in fixed);
    if (!others.length) return "";
    const at_baseline = held.every(other => fixed[other] === parameter_of[other].baseline);
    return (held.length ? "Held: " + listed(held.map(other => other + " = " + fixed[other])) + (at_baseline ? ", as on the baseline's machine. " : ". ") : "") +
        (best.length ? "Of the points that share a value, the best over " + listed(best) + " counts: two points of a curve may differ in more than " + path + ". " : "");
}
/// Vertical bars from what no schedule goes below to what was found, for each curve of points {x, y, point}.
function doubt_bars(sets, key) {
    if (key !== "cycles_per_row") return [];
    return sets.map(set => ({label: set.label, is_doubt: true, type: "line", showLine: true, spanGaps: false, pointRadius: 0, pointHitRadius: 0, borderWidth: 2, borderColor: set.borderColor,
        data: set.data.filter(d => d.point && d.point.fit && is_open(d.point) && d.point.cycles_per_row_from)
            .flatMap(d => [{x: d.x, y: d.point.cycles_per_row_from}, {x: d.x, y: d.y}, {x: d.x, y: NaN}])})).filter(set => set.data.length);
}
const doubt_hint = "A bar leads from what no schedule goes below to the best that was found: the best schedule lies on it. ";

function draw_curves() {
    const path = $("curve-parameter").value, key = $("curve-measure").value, fixed = fixed_values();
    if (!path) return;
    const some = points.filter(p => p.status === "ok" && p[key] !== null && Object.entries(fixed).every(([q, v]) => shown(p[q]) === v));
    let datasets = all_series.map((series, i) => {
        const list = [];
        for (const value of values_of[path]) {
            const here = some.filter(p => p.series === series && p[path] === value);
            const best = best_of(here, key) || here.sort(better(key))[0];
            if (best) list.push({x: at_value(value), y: best[key], point: best});
        }
        const right = d => d.point.fit;
        return {label: series, data: list, borderColor: series_colour(i), backgroundColor: series_colour(i), borderWidth: 2,
                pointRadius: list.map(d => right(d) ? 5 : 7), pointStyle: list.map(d => right(d) ? series_mark(i) : "crossRot"), mark: series_mark(i), pointRotation: series_turn(i), borderDash: series_dash(i),
                pointBorderColor: list.map(d => right(d) ? series_colour(i) : colour("--bad")), pointBorderWidth: list.map(d => right(d) ? 1 : 3),
                segment: {borderDash: c => list[c.p0DataIndex] && right(list[c.p0DataIndex]) && right(list[c.p1DataIndex]) ? undefined : [1, 5]}};
    }).filter(set => set.data.length);
    // Of many curves those say nothing that never change.
    const chosen = $("curve-kernel").value, level = set => set.data.every(d => d.y === set.data[0].y && d.point.fit === set.data[0].point.fit);
    const telling = datasets.filter(set => chosen ? set.label === chosen : datasets.length <= most_series || !level(set));
    const left_out = chosen || !telling.length ? 0 : datasets.length - telling.length;
    $("curve-left-out").textContent = left_out ? " " + many(left_out, "curve") + " that never change" + (left_out === 1 ? "s" : "") + " " + (left_out === 1 ? "is" : "are") + " left out." : "";
    if (telling.length) datasets = telling;
    let hidden = false;
    datasets.forEach((set, i) => {
        const below = widening(datasets, i);
        hidden = hidden || below > 0;
        set.borderWidth += 4 * below;
        set.pointRadius = set.pointRadius.map(radius => radius + 3 * below);
    });
    $("curve-hint").hidden = !hidden;
    const bars = doubt_bars(datasets, key);
    $("curve-held").textContent = held_text(path, fixed) + (bars.length ? doubt_hint : "");
    draw("curve-chart", {type: "line", data: {datasets: [...datasets, ...bars]}, options: {
        scales: {x: value_axis(path), y: axis(title_of(key), {beginAtZero: true, grace: "8%"})},
        plugins: {tooltip: tooltip_of_points, legend}}});
}

/// The first curve is on top. By how many steps one is broader, so that those on top of it, where they have
/// the same values, do not hide it.
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
    const found = cells.flat().filter(p => p && p.fit).map(p => p[key]);
    const least = Math.min(...found), most = Math.max(...found);
    const head = element("tr", {}, element("th", {}, y + " \u2193  " + x + " \u2192"), ...values_of[x].map(v => element("th", {}, shown(v))));
    const body = values_of[y].map((b, i) => element("tr", {}, element("th", {}, shown(b)), ...cells[i].map(p => {
        if (!p) return element("td", {}, "-");
        const strength = !p.fit ? 0 : most > least ? 0.08 + 0.5 * (most - p[key]) / (most - least) : 0.3;
        const made = element("td", {className: "hit " + (p.fit ? "" : p.state), tabIndex: 0},
            key === "cycles_per_row" ? figure(p, key) : key === measure ? cycles(p[key]) : shown(p[key]), element("small", {}, p.fit ? binder(p) : p.state === "hazard" ? "hazards" : "wrong results"));
        made.style.background = "rgba(" + colour("--heat") + "," + strength.toFixed(3) + ")";
        made.addEventListener("click", () => show(p));
        return made;
    })));
    $("heat-map").replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
}

function draw_pareto() {
    const x = $("pareto-x").value, y = $("pareto-y").value, kernel = $("pareto-kernel").value;
    const own = points.filter(p => (!kernel || p.series === kernel) && p.fit && p[x] !== null && p[y] !== null);
    const fronts = [], rests = [], sentences = [];
    for (const series of all_series.filter(s => !kernel || s === kernel)) {
        const i = all_series.indexOf(series);
        const mine = own.filter(p => p.series === series).sort((a, b) => a[x] - b[x] || a[y] - b[y] || a.index - b.index);
        if (!mine.length) continue;
        const front = [];
        for (const p of mine) if (!front.length || p[y] < front[front.length - 1][y]) front.push(p);
        const entry = p => ({x: p[x], y: p[y], point: p});
        fronts.push({type: "line", label: series + ": front", data: front.map(entry), borderColor: series_colour(i), backgroundColor: series_colour(i),
                   stepped: "before", pointRadius: 6, pointStyle: series_mark(i), pointRotation: series_turn(i), borderWidth: 2, borderDash: series_dash(i)});
        rests.push({type: "scatter", label: series, data: mine.filter(p => !front.includes(p)).map(entry), borderColor: series_colour(i),
                   backgroundColor: "transparent", pointRadius: 4, pointStyle: series_mark(i), pointRotation: series_turn(i)});
        sentences.push(series + ": " + front.map(p => figure(p, y) + " at " + x + " " + shown(p[x]) + " (point " + p.point + ")").join(", then ") + ".");
    }
    fronts.forEach((set, i) => {
        set.borderWidth += 4 * widening(fronts, i);
        set.pointRadius += 3 * widening(fronts, i);
    });
    $("pareto-front").textContent = "The front, " + (y === measure ? unit_of(y) : y) + " from the least " + x + " on. " + sentences.join(" ");
    const bars = doubt_bars([...fronts, ...rests], y);
    $("pareto-hint").textContent = bars.length ? doubt_hint : "";
    draw("pareto-chart", {data: {datasets: [...fronts, ...rests.filter(set => set.data.length), ...bars]}, options: {
        scales: {x: axis(title_of(x), {type: "linear", beginAtZero: true, suggestedMax: 1}), y: axis(title_of(y), {beginAtZero: y === measure, grace: "8%"})},
        plugins: {tooltip: tooltip_of_points, legend}}});
}

const mean_of = values => {
    const known = values.filter(v => v !== null);
    return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
};
function draw_sensitivity() {
    const found = all_series.map(series => varied.map(path => spread_of(path, series)));
    const few = all_series.length <= most_series;
    const order = varied.map((path, i) => i).sort((a, b) => Math.max(...found.map(f => f[b].mean || 0)) - Math.max(...found.map(f => f[a].mean || 0)) || a - b);
    draw("sensitivity-chart", {type: "bar", data: {labels: order.map(i => varied[i]),
        datasets: few ? all_series.map((series, s) => ({label: series, data: order.map(i => found[s][i].mean), backgroundColor: series_colour(s), maxBarThickness: 28}))
            : [{label: "all kernels, mean", data: order.map(i => mean_of(found.map(f => f[i].mean))), backgroundColor: series_colour(0), maxBarThickness: 28},
               {label: "the kernel that it matters most to", data: order.map(i => Math.max(0, ...found.map(f => f[i].mean || 0))), backgroundColor: series_colour(1), maxBarThickness: 28}]},
        options: {indexAxis: "y", scales: {x: axis("mean spread, " + unit_of(measure), {beginAtZero: true, suggestedMax: 1}), y: {}},
                  plugins: {legend: {position: "bottom"}}}});
    const heads = ["parameter", "kernel", "mean spread", "largest", "groups", "what it is"];
    $("sensitivity-table").replaceChildren(element("thead", {}, element("tr", {}, ...heads.map((h, i) => element("th", {className: i > 1 && i < 5 ? "number" : ""}, h)))),
        element("tbody", {}, ...order.flatMap(i => all_series.map((series, s) => {
            const f = found[s][i];
            if (!few && !f.mean) return "";
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
    fill_select($("curve-kernel"), ["", ...all_series], v => v || "all");
    fill_select($("heat-kernel"), all_series);
    fill_select($("heat-measure"), measures);
    fill_select($("heat-x"), varied);
    fill_select($("heat-y"), varied);
    if (varied.length > 1) $("heat-y").value = varied[1];
    fill_select($("pareto-kernel"), ["", ...all_series], v => v || "all");
    fill_select($("pareto-x"), measures);
    fill_select($("pareto-y"), measures);
    $("pareto-x").value = "cost";
    const telling = answers.find(a => a.best && a.base && a.best[a.key] < a.base[a.key]);
    if (telling) $("heat-kernel").value = telling.series;
    if (telling && all_series.length > most_series) $("pareto-kernel").value = telling.series;
    const connect = (ids, act) => { for (const id of ids) $(id).addEventListener("input", act); };
    connect(["curve-parameter"], () => { offer_fixed_values(); draw_curves(); });
    connect(["curve-measure", "curve-kernel"], draw_curves);
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
