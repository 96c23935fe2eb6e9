/* One prompt in two runs: both scores, and the completions of both side by side. */

const RUNS = ["first", "second"];

function remarkOn(table, index) {
  return table.reasons[index] ? `no change: ${table.reasons[index]}` : "";
}

async function detailsOf(index) {
  const blocks = RUNS.map((run) => byId(`detail-${index}-${run}`));
  return blocks.every(Boolean) ? Promise.all(blocks.map(unpacked)) : null;
}

/** Return the pairs that are offered: one completion of each run's largest group, the nearest of each. */
function offeredOf(details, starts) {
  const [left, right] = details.map((detail, run) => starts[run] + (detail.groups.length ? detail.groups[0][0] : 0));
  const nearest = details.flatMap((detail, run) => detail.pairs.slice(0, 1).map((pair) => (
    { words: `nearest of the ${RUNS[run]} run: ${pair[0] + 1} and ${pair[1] + 1}`, pair: pair.map((place) => starts[run] + place) })));
  return [{ words: "one of each largest group", pair: [left, right] }, ...nearest];
}

function runOf(table, run, detail, cut, choose) {
  return make("section", { class: "run" }, make("h3", {}, `The ${RUNS[run]} run: `, make("span", {}, table.models[run])),
    ...detail.notes.map((text) => note(text)),
    detail.pairs.length ? heatOf(detail, choose) : "",
    detail.completions.length ? groupsOf(detail, cut) : note("It has no completion of this prompt."));
}

/** Return all that there is to show of a prompt; `details` is null where the page has none. */
function itemParts(table, index, details, cut) {
  const parts = headOf(table, index, details && details[0]);
  if (table.reasons[index]) parts.push(note(`No change: ${table.reasons[index]}`));
  if (!details) {
    return [...parts, note("The completions of this prompt are not in this page. They are in the run files: ",
      ...table.runs.flatMap((run) => [make("code", {}, `wellworn export ${run} completions.jsonl`), " "]))];
  }
  const starts = [0, details[0].completions.length];
  const every = details.every((detail) => detail.completions.length);
  const { section, choose } = every ? pairsOf(details.map((detail, run) => ({ name: RUNS[run], detail })), offeredOf(details, starts)) : {};
  const aligned = (run) => ([i, j]) => { if (choose) choose([starts[run] + i, starts[run] + j]); };
  parts.push(make("div", { class: "both" }, ...details.map((detail, run) => runOf(table, run, detail, cut, aligned(run)))));
  return section ? [...parts, section] : parts;
}
