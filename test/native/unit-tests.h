// What the files of unit checks share.
#pragma once

/** Counts and prints a check that does not hold. */
void check(bool holds, const char* what);

void check_topology();
void check_cgroups();
void check_recorder();
void check_energy();
void check_sensors();
void check_processor_sensors();
void check_sensor_log();
void check_barrier();
void check_fma_units();
void check_products();
void check_emulated_kernels();
void check_vendor_search();
void check_collective();
void check_own_process();
void check_link();
void check_link_slot();

/** What `unit-tests vendor …` prints; see unit-vendor-engine.cpp. */
int report_vendor_engine(int argc, char** argv);
/** What `unit-tests load N` prints; see unit-load.cpp. */
int report_loads(int argc, char** argv);
/** What `unit-tests descriptors` prints, started by check_own_process(). */
int print_descriptors();
