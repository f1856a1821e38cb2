// What was asked, which machine is best and why, first of all kernels together, then of each. The sentences
// of the answer in short are data.

const whole = all_machines();
const percent_fewer = (less, than) => (100 * Math.abs(than - less) / than).toFixed(1) + " % " + (less <= than ? "fewer" : "more");
// ---- what was asked ----

function say_what_this_is() {
    const count = {right: 0, unknown: 0, wrong: 0, hazard: 0, failed: 0};
    for (const p of points) ++count[p.state];
    const parts = [many(whole.machines.length, "machine"), many(whole.kernels.length, "kernel")];
    if (data.schedules.length > 1) parts.push("schedules " + listed(data.schedules));
    const results = [[count.right, "with right results"], [count.unknown, "that nothing could be compared with"],
                     [count.wrong, "that compute something else"], [count.hazard, "with hazards"], [count.failed, "that failed"]].filter(([n], i) => n || !i);
    $("about").textContent = parts.join(", ") + (data.chips.length ? ", " + listed(data.chips) : "") + ": " + many(points.length, "run") + ", " +
        listed(results.map(([n, what]) => n + " " + what)) + ".";
    $("made-by").textContent = "sfpusim " + data.version + " explore " + data.sweep_name + ".";
    $("sweep-text").textContent = data.sweep.trimEnd();
    if (!paths.length) return;
    const any_baseline = data.parameters.some(p => p.baseline !== p.chip);
    $("parameters").replaceChildren(table_of(["parameter", "what it is", "the chip", ...(any_baseline ? ["baseline"] : []), "values", "cost of one more"],
        data.parameters.map(p => element("tr", {}, cell(breakable(p.path)), cell(p.help + (p.unit ? " (" + p.unit + ")" : ""), "words"), cell(p.chip, "number"),
            ...(any_baseline ? [cell(p.baseline, "number")] : []), cell(values_of[p.path].map(shown).join(", "), "number"), cell(shown(p.cost), "number"))),
        [2, 3, 4, ...(any_baseline ? [5] : [])]));
}

// ---- all kernels together ----

function machines_table() {
    const rows_at_first = 12, {kernels, base, ranked, machines} = whole;
    if (!base || machines.length < 2) return;
    const others = machines.filter(m => !ranked.includes(m));
    const any_faster = machines.some(m => m.faster), any_slower = machines.some(m => m.slower), any_missing = machines.some(m => m.missing);
    const rows = [...ranked, ...others].map((m, i) => {
        const complete = ranked.includes(m);
        const row = element("tr", {className: m === base ? "hit here" : "hit", hidden: i >= rows_at_first, title: "Show the runs of this point"},
            cell(String(m.number), "number"), cell([changes_text(m.any)], "words"), cell(shown(m.any.cost), "number"),
            cell(complete ? speed_text(m.mean) : "-", "number"));
        if (kernels.length > 1) {
            const most = m.speeds.reduce((best, s, k) => s !== null && (best < 0 || s.found > m.speeds[best].found) ? k : best, -1);
            row.append(cell(String(m.faster), "number"), ...(any_slower ? [cell(String(m.slower), "number")] : []),
                ...(any_missing ? [cell(String(m.missing), m.missing ? "number wrong" : "number")] : []),
                ...(!any_faster ? [] : [cell(most >= 0 && m.speeds[most].found > 1 + 1e-9 ? [...breakable(m.results[most].run.name), " " + base.results[most].text + " \u2192 " + m.results[most].text] : "-", "words")]));
        }
        row.append(cell(!complete ? "" : m.front ? "yes" : "no"));
        row.addEventListener("click", () => show_runs("point=" + m.number));
        return row;
    });
    const heads = ["point", "change of the baseline's machine", "cost", "speed", ...(kernels.length > 1 ? ["faster", ...(any_slower ? ["slower"] : []), ...(any_missing ? ["not right"] : []), ...(any_faster ? ["gains most"] : [])] : []), "front"];
    $("machines").append(element("h3", {}, "The machines, the fastest first"), element("p", {className: "hint"},
        "Speed against the baseline's machine" + (kernels.length > 1 ? ": the geometric mean over the kernels, each with the fastest of its schedules whose results are right" : "") +
        ". In brackets what the best schedules may make it where a shorter one than was found is not ruled out. Front: no machine that costs as much or less was found as fast."), table_of(heads, rows, [0, 2, 3, ...["faster", "slower", "not right"].map(h => heads.indexOf(h)).filter(i => i >= 0)]));
    if (rows.length > rows_at_first) {
        const more = element("button", {type: "button"}, "Show all " + rows.length + " machines");
        more.addEventListener("click", () => { for (const row of rows) row.hidden = false; more.hidden = true; });
        $("machines").append(element("p", {}, more));
    }
}

// ---- kernel by kernel ----

const answers = all_series.map((series, i) => {
    const own = points.filter(p => p.series === series), key = measure_of(own);
    const best = best_of(own, key), base = best_of(own.filter(is_baseline), key);
    return {series, own, key, best, base, id: "card-" + i};
});
function open_card(answer) {
    $(answer.id).hidden = false;
    $(answer.id).open = true;
    $(answer.id).scrollIntoView({block: "start"});
}

/// What is gained by the best machine, as a part of what the baseline's takes.
const gain_of = ({key, best, base}) => best && base ? 1 - best[key] / base[key] : 0;
function kernels_table() {
    const rows_at_first = 20;
    if (answers.length < 2) return;
    const order = answers.map((answer, i) => i).sort((a, b) => gain_of(answers[b]) - gain_of(answers[a]) || a - b);
    const rows = order.map((i, place) => {
        const {series, key, best, base} = answers[i];
        const row = element("tr", {className: "hit", tabIndex: 0, hidden: place >= rows_at_first}, cell(breakable(series)), cell(base ? figure(base, key) : "-", "number"), cell(best ? figure(best, key) : "-", "number"),
            cell(!best || !base ? "-" : best[key] === base[key] ? "none" : percent_fewer(best[key], base[key]), "number"), ...(varied.length ? [cell(best ? shown(best.cost) : "-", "number"),
            cell(best ? changes_text(best) : "no right results", best ? "words" : "words wrong")] : []), cell(best ? binder(best) : "", "words"));
        const open = () => open_card(answers[i]);
        row.addEventListener("click", open);
        row.addEventListener("keydown", event => { if (event.key === "Enter") open(); });
        return row;
    });
    const more = element("button", {type: "button", hidden: rows.length <= rows_at_first}, "Show all " + rows.length + " kernels");
    more.addEventListener("click", () => { for (const row of rows) row.hidden = false; more.hidden = true; });
    $("overview").append(table_of(["kernel", "baseline", "best", "gain", ...(varied.length ? ["cost", "machine"] : []), "what binds there"], rows, varied.length ? [1, 2, 3, 4] : [1, 2, 3]), element("p", {}, more));
}

function neighbours_table(best, key) {
    const rows = [];
    for (const path of varied) {
        const line = line_through(best, path);
        if (line.length < 2) continue;
        line.forEach((p, i) => {
            const row = element("tr", {className: "hit" + (p === best ? " here" : "")},
                ...(i ? [] : [element("td", {rowSpan: line.length, title: parameter_of[path].help}, ...breakable(path))]),
                cell(shown(p[path]) + (shown(p[path]) === parameter_of[path].chip ? " (chip)" : ""), "number"),
                cell(p.status === "ok" ? figure(p, key) : "-", "number"), cell(shown(p.cost), "number"), cell(results_text(p), p.state),
                cell(p === best ? "the best point" : cut_short(why_in_short(p)), "words"));
            row.addEventListener("click", () => show(p));
            rows.push(row);
        });
    }
    if (!rows.length) return "";
    return table_of(["parameter", "value", unit_of(key), "cost", "results", "what binds"], rows, [1, 2, 3]);
}

function schedule_text(best) {
    const whose = best.schedule === "optimize" && best.words === "given" ? "Its words are those of the given macro file, which no schedule that was found beats. " : "";
    const how = best.schedule === "keep" ? "" : whose + (best.proved ? "Its schedule is proved to be the shortest of its kind on this machine."
        : "The search for its schedule ended at " + data.budget + " conflicts: a shorter one may exist.");
    const when = best.verdict === "replay-only" ? "Its results are right only if no idle cycle comes between its words (replay-only)." : "";
    return [how, when].filter(Boolean).join(" ");
}

function card_of({series, own, key, best, base, id}, open) {
    const card = element("details", {className: "card", id, open, hidden: !open}, element("summary", {}, element("h3", {}, series)));
    if (!best) {
        card.append(element("p", {className: "wrong"}, "No point has right results. " + (own[0].error || "")));
        return card;
    }
    card.append(element("div", {className: "figure"}, figure(best, key), element("small", {}, " " + unit_of(key) + ", point " + best.point +
        ", cost " + shown(best.cost))));
    card.append(element("p", {}, "Machine: " + machine_text(best) + (is_baseline(best) ? " (the baseline)." : ".")));
    const found = best && base && (is_open(best) || is_open(base)) ? ", by the schedules that were found" : "";
    if (base && base !== best)
        card.append(element("p", {}, (best[key] === base[key] ? "As fast as" : percent_fewer(best[key], base[key]) + " cycles than") + " the baseline's machine (" + figure(base, key) +
            ", point " + base.point + ")" + found + "." + (base.binds ? " There: " + why_in_short(base) + "." : "")));
    if (why_of(best)) card.append(element("p", {className: "why"}, "What limits it: " + why_of(best)));
    if (schedule_text(best)) card.append(element("p", {}, schedule_text(best)));
    if (best.state === "unknown") card.append(element("p", {className: "wrong"}, "Nothing could be compared with its results."));
    const equals = own.filter(p => p !== best && p.state === best.state && p[key] === best[key]).length;
    const faster = own.filter(p => !p.fit && p[key] !== null && p[key] < best[key]).length;
    const notes = [];
    if (equals) notes.push(equals + (equals === 1 ? " other point is" : " other points are") + " as fast and " + (equals === 1 ? "costs" : "cost") + " as much or more.");
    if (faster) notes.push(faster + (faster === 1 ? " point looks" : " points look") + " faster, but without right results.");
    if (notes.length) card.append(element("p", {}, notes.join(" ")));
    const button = element("button", {className: "show-best"}, "Show its schedule");
    button.addEventListener("click", () => show(best));
    card.append(element("p", {}, button), neighbours_table(best, key));
    return card;
}

function say_what_is_best() {
    const cards_that_fit = 4;
    const said = data.answers;
    $("answers").replaceChildren(...said.map(text => element("li", {}, text)));
    $("short").hidden = !said.length;
    machines_table();
    kernels_table();
    $("cards").append(...answers.map(answer => card_of(answer, answers.length <= cards_that_fit)));
}
