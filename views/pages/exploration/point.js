// One run: its schedule, and everything that is known of it.

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
    $("details-title").textContent = "Point " + point.point + ": " + point.series + (point[measure] !== null ? ", " + (measure === "cycles_per_row" ? figure(point, measure) : cycles(point[measure])) + " " + unit_of(measure) : "");
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
