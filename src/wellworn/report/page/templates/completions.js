/* What both pages show of a prompt: completions by likeness, two of them aligned, all distances. */

function distanceOf(detail, i, j) {
  if (i === j) return 0;
  const [low, high] = i < j ? [i, j] : [j, i];
  const m = detail.completions.length;
  return detail.distances[low * m - (low * (low + 1)) / 2 + high - low - 1] / 1000;
}

function shortened(text) {
  if (text.length <= Array.from(text.text).length) return [];
  return [make("p", { class: "note" }, `Cut here: ${whole.format(text.length)} characters in all; the run file holds the whole.`)];
}

function completionOf(detail, place, open) {
  const completion = detail.completions[place];
  const ended = completion.finish === "length" ? make("span", { class: "warn" }, "cut at the most tokens") : completion.finish || "";
  return make("details", { class: "completion", open },
    make("summary", {}, make("strong", {}, String(place + 1)), " ",
      completion.by === "sample" ? "" : `${completion.by} · `,
      `${whole.format(completion.length)} characters`, ended ? " · " : "", ended),
    make("pre", { dir: "auto" }, completion.text || "(empty)"), ...shortened(completion));
}

function groupsOf(detail, cut) {
  const groups = detail.groups.length ? detail.groups : [detail.completions.map((_, place) => place)];
  const total = detail.completions.length;
  const said = detail.groups.length
    ? `${counted(total, "completion")} in ${counted(groups.length, "group")}, joined while the mean distance between them is at most ${cut}.`
    : counted(total, "completion");
  return make("section", {}, make("h3", {}, "Completions by likeness"), make("p", { class: "reading" }, said),
    ...groups.map((group, number) => make("div", { class: "group" },
      detail.groups.length ? make("h4", {}, `Group ${number + 1}: ${group.length} of ${total}`) : "",
      ...group.map((place, first) => completionOf(detail, place, first === 0 && number === 0)))));
}

/** Return the part that aligns two completions of these runs, and the function that chooses them.
 *  Completions count through all runs; `pairs` are offered, with words, the first of them at once. */
function pairsOf(runs, pairs) {
  const every = runs.flatMap(({ name, detail }) => detail.completions.map((completion, place) => ({ name: `${name} ${place + 1}`, completion, detail, place })));
  const place = make("div", {});
  const choices = ["left", "right"].map((side) => make("select", { "aria-label": `${side} completion`, onchange: () => update() },
    ...every.map((one, i) => make("option", { value: i }, one.name))));
  const said = make("p", { class: "reading", role: "status" });
  function update() {
    const [left, right] = choices.map((choice) => every[Number(choice.value)]);
    const [one, other] = [left.completion, right.completion];
    const cut = [one, other].some((text) => shortened(text).length) ? ", beginnings only" : "";
    const distance = left.detail === right.detail && left.detail.distances.length ? `Distance ${distanceOf(left.detail, left.place, right.place).toFixed(3)}; what` : "What";
    said.textContent = left === right ? "The same completion twice."
      : one.text === other.text && !cut ? "Equal, character by character." : `${distance} differs is marked${cut}.`;
    place.replaceChildren(comparison(one.text, other.text));
  }
  function choose(pair) {
    choices.forEach((choice, side) => { choice.value = pair[side]; });
    update();
  }
  const offered = pairs.map(({ words, pair }) => make("button", { type: "button", onclick: () => choose(pair) }, words));
  choose(pairs[0].pair);
  const section = make("section", { class: "pairs" }, make("h3", {}, "Two completions, aligned"),
    make("p", { class: "choices" }, ...offered, ...choices), said, place);
  return { section, choose };
}

function heatOf(detail, choose) {
  const order = detail.groups.flat();
  const size = Math.max(8, Math.floor(440 / order.length));
  const side = size * order.length;
  const canvas = make("canvas", { width: side, height: side, role: "img",
    "aria-label": `Distances of all ${counted(detail.distances.length, "pair")}, from ${(Math.min(...detail.distances) / 1000).toFixed(3)} to ${(Math.max(...detail.distances) / 1000).toFixed(3)}` });
  const pen = canvas.getContext("2d");
  order.forEach((i, row) => order.forEach((j, column) => {
    pen.fillStyle = `rgba(0, 114, 178, ${i === j ? 0.04 : 0.06 + 0.94 * (1 - distanceOf(detail, i, j)) ** 1.6})`;
    pen.fillRect(column * size, row * size, size - 1, size - 1);
  }));
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const cell = (offset, length) => order[Math.min(order.length - 1, Math.max(0, Math.floor((offset / length) * order.length)))];
    return [cell(event.clientY - box.top, box.height), cell(event.clientX - box.left, box.width)];
  };
  canvas.addEventListener("mousemove", (event) => {
    const [i, j] = at(event);
    canvas.title = `${i + 1} and ${j + 1}: ${distanceOf(detail, i, j).toFixed(3)}`;
  });
  canvas.addEventListener("click", (event) => choose(at(event)));
  return make("section", {}, make("h3", {}, "All distances"),
    make("p", { class: "reading" }, "Row by column, in the order of the groups. Strong is alike; a solid block is a worn path. Click a cell to align the two."),
    canvas, make("p", { class: "legend" }, "0 alike ", make("span", { "aria-hidden": "true" }), " 1 nothing shared"));
}

function numbersOf(table, index) {
  return make("dl", { class: "numbers" }, ...table.columns
    .filter((column) => column.values[index] !== null)
    .map((column) => make("div", {}, make("dt", {}, column.name), make("dd", {}, written(column.values[index], column.kind)))));
}

function promptOf(detail, table, index) {
  if (!detail) return [make("pre", { class: "prompt", dir: "auto" }, table.prompts[index])];
  return detail.prompt.flatMap((turn) => [make("p", { class: "role" }, turn.by), make("pre", { class: "prompt", dir: "auto" }, turn.text), ...shortened(turn)]);
}

/** Return what a prompt is and what it has for numbers; `detail` is null where the page has none. */
function headOf(table, index, detail) {
  const set = table.references[index] ? "reference" : "suspect";
  return [
    make("p", { class: "origin" }, make("span", { class: `tag ${set}s` }, set), " ", make("code", {}, table.ids[index]), table.sources[index] ? ` ${table.sources[index]}` : ""),
    ...promptOf(detail, table, index), numbersOf(table, index)];
}

function note(...text) {
  return make("p", { class: "note" }, ...text);
}
