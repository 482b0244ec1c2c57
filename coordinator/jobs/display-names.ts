/** Field on the wire -> what a person reads, with the unit. The one table of both `include_display_name(s)`. */
export const displayNames: Readonly<Record<string, string>> = {
  // task and machine
  id: 'ID',
  job_id: 'Job ID',
  state: 'State',
  failed_message: 'Failure message',
  pdf_report_url: 'PDF report',
  manufacturer_gpu_spec: 'Manufacturer GPU specification',
  compute_capability: 'Compute capability',
  memory_bandwidth: 'Memory bandwidth (GB/s)',
  company_name: 'Company',
  machine_id: 'Machine ID',
  machine_uuid: 'Machine UUID',
  configuration_id: 'Configuration ID',
  config_id: 'Hardware configuration ID',
  start_time: 'Start time',
  end_time: 'End time',
  inventory: 'Inventory',
  cpu: 'CPU',
  gpu: 'GPU',
  disk: 'Disk',
  memory: 'Memory',
  network: 'Network',
  location: 'Location',
  processor: 'Processor',
  count: 'Count',
  os: 'Operating system',
  arch: 'Architecture',
  virtualization_type: 'Virtualization',
  vendor: 'Vendor',
  model: 'Model',
  memory_gb: 'Memory (GiB)',
  network_type: 'Interconnect',
  driver_version: 'Driver version',
  cuda_version: 'CUDA version',
  size_gb: 'Size (GB)',
  technology: 'Technology',
  total_gb: 'Total (GiB)',
  type: 'Type',
  machine_ip: 'IP address',
  open_ports: 'Open ports',
  upload_speed_mbps: 'Upload speed (Mbit/s)',
  download_speed_mbps: 'Download speed (Mbit/s)',
  // benchmark results
  benchmark_results: 'Benchmark results',
  benchmark_id: 'Benchmark ID',
  benchmark_name: 'Benchmark',
  started_at: 'Started at',
  ended_at: 'Ended at',
  completed_at: 'Completed at',
  config: 'Configuration',
  results: 'Results',
  error_message: 'Error message',
  test_results: 'Results by GPU',
  aggregate_results: 'Aggregate',
  task_id: 'Task ID',
  node_count: 'Nodes',
  gpu_id: 'GPU ID',
  gpu_model: 'GPU model',
  gpu_count: 'GPU count',
  simulated: 'Simulated',
  engine: 'Engine',
  unavailable: 'Not measured because',
  details: 'Details',
  // metrics of quick_mark
  fp32_tflops: 'FP32 (TFLOPS)',
  fp32_cuda_core_tflops: 'FP32 on CUDA cores (TFLOPS)',
  fp16_tflops: 'FP16 (TFLOPS)',
  bf16_tflops: 'BF16 (TFLOPS)',
  fp8_tflops: 'FP8 (TFLOPS)',
  mixed_precision_tflops: 'Mixed precision (TFLOPS)',
  memory_bandwidth_gbs: 'Memory bandwidth (GB/s)',
  l2_bandwidth_gbs: 'L2 cache bandwidth (GB/s)',
  host_to_device_bandwidth_gbs: 'Host to device (GB/s)',
  device_to_host_bandwidth_gbs: 'Device to host (GB/s)',
  kernel_launch_overhead_us: 'Kernel launch overhead (µs)',
  power_consumption_watts: 'Power (W)',
  temperature_centigrade: 'Temperature (°C)',
  energy_consumption_wh: 'Energy (Wh)',
  // metrics of cluster_network
  avg_bandwidth_gbps: 'Average bandwidth (Gbit/s)',
  min_bandwidth_gbps: 'Lowest bandwidth (Gbit/s)',
  avg_latency: 'Average latency (µs)',
  total_links_tested: 'Links tested',
  measurements: 'Measurements',
};

/** A customer's own words: their keys stay as they were sent. */
const leftAlone = new Set(['config']);

/** The same object with field names for people; a name the table does not hold, such as a benchmark id, stays. */
export const withDisplayNames = (object: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object).map(([name, member]) => [
      Object.hasOwn(displayNames, name) ? displayNames[name] : name,
      leftAlone.has(name) ? member : renameInside(member),
    ]),
  );

function renameInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameInside);
  return value === null || typeof value !== 'object' ? value : withDisplayNames(value);
}
