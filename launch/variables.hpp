// SPDX-License-Identifier: BSD-3-Clause
// Reads yes/no environment variables, and finds names of variables that are misspelt. The names of all variables, and
// the words that mean yes and no, are in src/machine/linux/variables.c. The library uses that C file too.
#pragma once

namespace skerry {

// Returns the value of a variable, or nullptr if it is not set or empty.
const char *environment_value(const char *name);

// Returns true if the yes/no variable `name` is set and means yes. Ends oshrun with an error message if its value means
// neither yes nor no.
bool is_switched_on(const char *name);

// Writes a warning for each environment variable that is probably misspelt. No program of Skerry reads such a variable,
// but its name is similar to the name of a variable that is read.
void warn_of_misspelt_variables();

} // namespace skerry
