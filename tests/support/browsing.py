"""What the tests of pages do in a browser."""

HOSTILE = (
    "<script>window.ran = 1; alert(1)</script><img src=x onerror='window.ran = 1'> </script>"
    "<!-- {{ 7*7 }} ]]> \u2028 \ud800 <svg onload=alert(1)> javascript:alert(1) </pre></dialog>"
)
"""A stranger's text that would run, were it ever taken for markup."""


def column(view, name):
    """Return the cells of a column, as they are shown."""
    heads = view.locator("table.items thead th").all_inner_texts()
    place = next(i for i, head in enumerate(heads) if head.split()[0] == name)
    return view.locator(f"table.items tbody tr > :nth-child({place + 1})").all_inner_texts()


def sort_by(view, name):
    view.get_by_role("button", name=name, exact=True).click()


def first_prompt(view):
    return view.locator("table.items .open").first


def open_first(view):
    first_prompt(view).click()
    view.wait_for_selector("dialog[open] .aligned")


def status(view):
    return view.locator("#status").inner_text()
