/* The table of prompts: search, filter, sort, pages of fifty. */

const PAGE = 50;

function tableOf(table, open) {
  const shown = { sort: table.sort, down: true, page: 0 };
  const searched = table.prompts.map((prompt, i) => `${prompt}\n${table.sources[i]}\n${table.ids[i]}`.toLowerCase());
  const q = table.columns.find((column) => column.name === "q");
  let order = [];

  function admitted(index) {
    const [set, state] = [byId("set").value, byId("state").value];
    if (set && table.references[index] !== Number(set)) return false;
    if (state === "q") return q.values[index] !== null && q.values[index] <= 0.1;
    return !state || table.states[index] === Number(state);
  }

  function valuesOf(name) {
    return name in table ? table[name] : table.columns[Number(name)].values;
  }

  /** Compare two prompts; those without a value come last, whatever the direction. */
  function compared(values, i, j) {
    const [a, b] = [values[i], values[j]];
    if (a === null || b === null) return (a === null) - (b === null) || i - j;
    return ((a > b) - (a < b)) * (shown.down ? -1 : 1) || i - j;
  }

  function update() {
    const text = byId("search").value.trim().toLowerCase();
    const values = valuesOf(shown.sort);
    order = [...table.ids.keys()]
      .filter((i) => admitted(i) && (!text || searched[i].includes(text)))
      .sort((i, j) => compared(values, i, j));
    shown.page = 0;
    const all = counted(table.ids.length, "prompt");
    byId("status").textContent = order.length === table.ids.length ? all : `${whole.format(order.length)} of ${all}`;
    draw();
  }

  function draw() {
    const start = shown.page * PAGE;
    const page = order.slice(start, start + PAGE);
    document.querySelector("table.items tbody").replaceChildren(...page.map(row));
    byId("range").textContent = page.length
      ? `${whole.format(start + 1)} to ${whole.format(start + page.length)} of ${whole.format(order.length)}` : "No prompt is like that.";
    byId("previous").disabled = start === 0;
    byId("next").disabled = start + PAGE >= order.length;
    for (const head of document.querySelectorAll("th[data-sort]")) {
      if (head.dataset.sort === shown.sort) head.setAttribute("aria-sort", shown.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  function row(index) {
    const set = table.references[index] ? "references" : "suspects";
    const about = remarkOn(table, index);
    const prompt = make("th", { scope: "row" },
      make("button", { type: "button", class: "open", dir: "auto" }, table.prompts[index].trim() || "(blank)"),
      about ? make("small", {}, about) : "");
    return make("tr", { "data-index": index },
      make("td", {}, make("span", { class: `tag ${set}` }, set.slice(0, -1))), prompt,
      ...table.columns.map((column) => make("td", { class: column.minor && "minor" }, written(column.values[index], column.kind))));
  }

  function turn(pages) {
    shown.page += pages;
    draw();
    document.querySelector(".scroll.table").scrollIntoView({ block: "start" });
  }

  for (const id of ["search", "set", "state"]) byId(id).addEventListener("input", update);
  document.querySelector("form.filters").addEventListener("submit", (event) => event.preventDefault());
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  for (const head of document.querySelectorAll("th[data-sort]")) {
    head.querySelector("button").addEventListener("click", () => {
      const text = ["prompts", "references"].includes(head.dataset.sort);
      shown.down = shown.sort === head.dataset.sort ? !shown.down : !text;
      shown.sort = head.dataset.sort;
      update();
    });
  }
  document.querySelector("table.items tbody").addEventListener("click", (event) => {
    const chosen = event.target.closest("tr");
    if (chosen && !String(getSelection())) open(Number(chosen.dataset.index));
  });
  update();
  return { neighbour: (index, step) => order[order.indexOf(index) + step] };
}
