/* The page comes alive: the table is unpacked, prompts open, the command is copied. */

function start(table) {
  const dialog = byId("item");
  const body = byId("item-body");
  let current = null;
  const rows = tableOf(table, open);

  async function open(index) {
    current = index;
    const details = await detailsOf(index);
    if (current !== index) return;
    body.replaceChildren(...itemParts(table, index, details, body.dataset.cut));
    byId("item-previous").disabled = rows.neighbour(index, -1) === undefined;
    byId("item-next").disabled = rows.neighbour(index, 1) === undefined;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    byId("item-title").focus();
    history.replaceState(null, "", `#prompt-${table.ids[index]}`);
  }

  function step(by) {
    const next = rows.neighbour(current, by);
    if (next !== undefined) open(next);
  }

  function openAddressed() {
    const index = table.ids.indexOf(location.hash.replace("#prompt-", ""));
    if (index >= 0) open(index);
  }

  byId("item-close").addEventListener("click", () => dialog.close());
  byId("item-previous").addEventListener("click", () => step(-1));
  byId("item-next").addEventListener("click", () => step(1));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    history.replaceState(null, "", "#prompts");
    const opener = document.querySelector(`tr[data-index="${current}"] button`);
    if (opener) opener.focus();
    current = null;
  });
  for (const part of document.querySelectorAll("form.filters, table.items, nav.pages")) part.hidden = false;
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", openAddressed);
  else openAddressed();
}

function failed(error) {
  byId("range").closest("nav").before(note(`The table could not be unpacked (${error}). It needs a browser of 2023 or later; ${document.querySelector("table.items").dataset.file} beside this page holds all of it.`));
}

byId("copy").addEventListener("click", async () => {
  const command = byId("command");
  try {
    await navigator.clipboard.writeText(command.textContent);
    byId("copied").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(command);
    byId("copied").textContent = "Selected; copy it with the keyboard.";
  }
});

unpacked(byId("table-data")).then(start).catch(failed);
