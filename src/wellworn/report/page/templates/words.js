/* Two texts side by side, word by word: the longest common subsequence is what they share. */

function tokens(text) {
  return text.match(/\S+\s*|\s+/g) || [];
}

/** Return [token, side] in order; the side is "both", "left" or "right". */
function difference(left, right) {
  const width = right.length + 1;
  const common = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const at = i * width + j;
      common[at] = left[i] === right[j]
        ? common[at + width + 1] + 1
        : Math.max(common[at + width], common[at + 1]);
    }
  }
  const steps = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      steps.push([left[i++], "both"]);
      j++;
    } else if (j === right.length || (i < left.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      steps.push([left[i++], "left"]);
    } else {
      steps.push([right[j++], "right"]);
    }
  }
  return steps;
}

/** Return rows of two cells: a row ends where both texts end a line, so that lines stay level. */
function aligned(left, right) {
  const rows = [];
  let cells = null;
  for (const [token, side] of difference(tokens(left), tokens(right))) {
    if (!cells || (side === "both" && complete(cells.left) && complete(cells.right))) {
      rows.push((cells = { left: [], right: [] }));
    }
    for (const name of ["left", "right"]) {
      if (side !== "both" && side !== name) continue;
      const last = cells[name][cells[name].length - 1];
      if (last && last.changed === (side !== "both")) last.text += token;
      else cells[name].push({ text: token, changed: side !== "both" });
    }
  }
  return rows;
}

function complete(parts) {
  return !parts.length || parts[parts.length - 1].text.endsWith("\n");
}

/** Return the element that shows two texts with what differs marked. */
function comparison(left, right) {
  const cell = (parts, tag, name) => make("div", { class: name },
    ...parts.map((part) => (part.changed ? make(tag, {}, part.text) : part.text)));
  const shown = make("div", { class: "aligned" });
  for (const row of aligned(left, right)) {
    const equal = ![...row.left, ...row.right].some((part) => part.changed);
    shown.append(cell(row.left, "del", "cell"), cell(row.right, "ins", equal ? "cell equal" : "cell"));
  }
  return shown;
}
