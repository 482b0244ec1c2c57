import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { agentPaths, type ResultsRequest, type UploadPayload } from '../../coordinator/contract/agent-protocol.ts';
import { resultKey } from '../../coordinator/contract/result-key.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** One node that speaks the agent protocol over HTTP without measuring: what it sends is marked simulated. */
export class ProtocolNode {
  readonly machineUuid: string;
  readonly sessionId = randomUUID();
  taskId = '';
  epoch = 0;
  taskSecret: string | null = null;
  private readonly baseUrl: string;
  readonly token: string;

  constructor(baseUrl: string, token: string, machineUuid: string = randomUUID()) {
    this.baseUrl = baseUrl;
    this.token = token;
    this.machineUuid = machineUuid;
  }

  async register(): Promise<Answer> {
    const answer = await this.post(agentPaths.register, {
      machine_uuid: this.machineUuid,
      session_id: this.sessionId,
      agent_version: 'test',
      protocol_version: 1,
    });
    if (answer.status === 200) {
      this.taskId = String(answer.body['task_id']);
      this.epoch = Number(answer.body['epoch']);
      this.taskSecret = String(answer.body['task_secret']);
    }
    return answer;
  }

  heartbeat = (phase: string): Promise<Answer> =>
    this.post(agentPaths.heartbeat, { task_id: this.taskId, epoch: this.epoch, phase });

  results = (result: ResultsRequest): Promise<Answer> => this.post(agentPaths.results, result);

  complete = (): Promise<Answer> =>
    this.post(agentPaths.complete, { task_id: this.taskId, epoch: this.epoch, warnings: [] });

  /** What the agent says when its operator stops it. */
  abort = (): Promise<Answer> =>
    this.post(agentPaths.fail, { task_id: this.taskId, epoch: this.epoch, state: 'aborted', message: 'stopped' });

  /** A quick_mark result of this node, the same content at every call. */
  quickMark(jobId: string, startedAt: Date, given: { attempt?: number; bf16?: number } = {}): ResultsRequest {
    const payload = simulatedPayload(this.machineUuid, given.bf16);
    const { attempt = 1 } = given;
    const keyed = { machine_uuid: this.machineUuid, benchmark_id: 'quick_mark', attempt, payload };
    return {
      ...keyed,
      task_id: this.taskId,
      epoch: this.epoch,
      result_key: resultKey(jobId, keyed),
      state: 'completed',
      started_at: startedAt.toISOString(),
      ended_at: new Date(startedAt.getTime() + 20_000).toISOString(),
      error_message: null,
      warnings: [],
    };
  }

  async post(path: string, body: unknown): Promise<Answer> {
    const answer = await request(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${this.token}`,
        ...(this.taskSecret === null ? {} : { 'x-task-secret': this.taskSecret }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  }
}

function simulatedPayload(machineUuid: string, bf16 = 610): UploadPayload {
  const unmeasured = {
    fp32_cuda_core_tflops: null,
    fp8_tflops: null,
    mixed_precision_tflops: null,
    l2_bandwidth_gbs: null,
    host_to_device_bandwidth_gbs: null,
    device_to_host_bandwidth_gbs: null,
    kernel_launch_overhead_us: null,
    energy_consumption_wh: null,
  };
  const measured = {
    fp32_tflops: 50,
    fp16_tflops: 600,
    bf16_tflops: bf16,
    memory_bandwidth_gbs: 2500,
    power_consumption_watts: 600,
    temperature_centigrade: 60,
  };
  const marks = { vendor: 'nvidia' as const, engine: 'own' as const, simulated: true, details: {} };
  const unavailable = Object.fromEntries(
    Object.keys(unmeasured).map((metric) => [metric, 'a simulated node measures nothing']),
  );
  return {
    machine_uuid: machineUuid,
    config_id: machineUuid,
    location: null,
    gpu_vendor: 'nvidia',
    gpu_count: 1,
    cpu_info: {
      cpu_count: 2,
      arch: 'x64',
      os: 'linux',
      hardware_vendor: null,
      hardware_model: null,
      processor_brand: null,
      virtualization: null,
    },
    gpu_info: [],
    ram_info: { total_memory: null, memory_module_count: null, memory_module_type: null, memory_module_speed: null },
    disk_info: [],
    network_info: { download_speed_mbps: null, upload_speed_mbps: null, open_ports: null, machine_ip: null },
    benchmark_results: {
      quick_mark: {
        test_results: [
          { gpu_id: 'GPU-0', gpu_model: 'Simulated GPU', ...measured, ...unmeasured, ...marks, unavailable },
        ],
        aggregate_results: { gpu_id: 'aggregate', ...measured },
      },
    },
  };
}
