/* Elements, and data out of the page. Strangers' text only ever becomes a text node. */

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

async function unpacked(block) {
  const bytes = Uint8Array.from(atob(block.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const whole = new Intl.NumberFormat("en");

function written(value, kind) {
  if (value === null || value === undefined) return "–";
  if (kind === "p") return value >= 0.1 ? value.toFixed(2) : String(Number(value.toPrecision(2)));
  if (kind === "share") return `${Math.round(100 * value)} %`;
  if (kind === "change") return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
  return kind === "count" ? whole.format(value) : value.toFixed(3);
}

function counted(number, noun) {
  return `${whole.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}
