/* One prompt of an audit: its numbers, and its completions. */

function remarkOn(table, index) {
  if (table.reasons[index]) return `no score: ${table.reasons[index]}`;
  return table.states[index] === 1 ? "left out of the comparison" : "";
}

async function detailsOf(index) {
  const block = byId(`detail-${index}`);
  return block ? unpacked(block) : null;
}

/** Return all that there is to show of a prompt; `detail` is null where the page has none. */
function itemParts(table, index, detail, cut) {
  const reason = table.reasons[index];
  const parts = headOf(table, index, detail);
  if (reason) parts.push(note(`No score: ${reason}`));
  if (!reason && table.states[index] === 1) parts.push(note("Left out of the comparison."));
  if (!detail) {
    const run = table.runs[table.references[index]];
    return [...parts, note("The completions of this prompt are not in this page. They are in the run file: ", make("code", {}, `wellworn export ${run} completions.jsonl`))];
  }
  parts.push(...detail.notes.map((text) => note(text)));
  if (detail.pairs.length) {
    const { section, choose } = pairsOf([{ name: "completion", detail }], detail.pairs.map((pair, rank) => (
      { words: `${rank ? "next nearest" : "nearest"}: ${pair[0] + 1} and ${pair[1] + 1}`, pair })));
    parts.push(make("div", { class: "overview" }, groupsOf(detail, cut), heatOf(detail, choose)), section);
  } else if (detail.completions.length) parts.push(groupsOf(detail, cut));
  return parts;
}
