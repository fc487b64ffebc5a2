"""What a response holds in addition to its records, by the conventions of many APIs: totals, flags, and the next page.

fields.py       the values outside the records, with their paths
signs.py        flags such as `has_more`, totals, and tokens and addresses of the next page
"""
