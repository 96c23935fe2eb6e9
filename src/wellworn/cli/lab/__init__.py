"""`wellworn lab`: models that are contaminated on purpose, so that the truth is known."""

from cyclopts import App, Parameter

app = App(
    name="lab",
    help="Train small models on known prompts, and audit them: the truth is known.",
    default_parameter=Parameter(negative=""),
)

COMMANDS = {
    "run": ("run:run", "Pretrain a model, train it on known prompts, and audit its checkpoints."),
    "audit": ("audit:audit", "Audit the checkpoints of an experiment."),
    "study": ("study:study", "Run many experiments, and show their table."),
    "table": ("study:table", "Show what a study has found, by default the one of docs/lab.md."),
    "export": ("export:export_data", "Write the same contamination for verl or TRL."),
}
"""Every command of the lab: the function behind it, imported when it is called, and its help."""

for _name, (_function, _help) in COMMANDS.items():
    app.command(f"wellworn.cli.lab.{_function}", name=_name, help=_help)
