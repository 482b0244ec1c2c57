# Begins a recipe's command of which one reads what it makes, and with V=1 the command. `make -s` shows neither.
silent := $(findstring s,$(filter-out --%,$(firstword $(MAKEFLAGS))))
short = $(if $(V),,@$(if $(silent),,echo '  $@' && ))
