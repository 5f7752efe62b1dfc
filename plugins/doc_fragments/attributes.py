# GNU General Public License v3.0+ (see COPYING or https://www.gnu.org/licenses/gpl-3.0.txt)

"""What several modules say, once."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options: {}
attributes:
  check_mode:
    description: Can run in check mode and return changed status prediction without modifying target.
  diff_mode:
    description: Returns details on what has changed (or possibly needs changing in check mode), when in diff mode.
"""

    # Of an action on the controller over all hosts of a run (plugin_utils/controller_action.py: FleetAction).
    FLEET = r"""
options:
  hosts:
    description: All hosts of the run.
    type: list
    elements: str
    required: true
attributes:
  check_mode:
    description: Can run in check mode and return changed status prediction without modifying target.
    support: full
  diff_mode:
    description: Returns details on what has changed (or possibly needs changing in check mode), when in diff mode.
    support: N/A
"""
