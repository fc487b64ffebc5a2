"""A component as users write it for the original platform, with its library and nothing of ours."""

import csv
import logging
from pathlib import Path

from keboola.component.base import ComponentBase
from keboola.component.exceptions import UserException


class Doubles(ComponentBase):
    def run(self):
        self.validate_configuration_parameters(["factor"])
        factor = self.configuration.parameters["factor"]
        if factor < 0:
            raise UserException("The factor must not be negative.")
        for table in self.get_input_tables_definitions():
            self.multiply(table, factor)
        runs = self.get_state_file().get("runs", 0)
        self.write_state_file({"runs": runs + 1})
        logging.info("Ran %s times, with %s.", runs + 1, self.configuration.parameters["#key"])

    def multiply(self, table, factor):
        made = self.create_out_table_definition(
            f"{table.name.removesuffix('.csv')}-made.csv",
            incremental=True,
            primary_key=["id"],
            destination="out.c-x.made",
        )
        with Path(table.full_path).open() as source, Path(made.full_path).open("w") as target:
            writer = csv.writer(target)
            writer.writerow(["id", "n"])
            writer.writerows((row["id"], int(row["n"]) * factor) for row in csv.DictReader(source))
        self.write_manifest(made)


if __name__ == "__main__":
    try:
        Doubles().execute_action()
    except UserException as error:
        logging.error(error)
        raise SystemExit(1) from error
