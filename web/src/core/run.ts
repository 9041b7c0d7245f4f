// CI runs as the engine keeps them in state.ci.runs, and how the newest one is replayed.

export type Status = "queued" | "in progress" | "success" | "failure" | "skipped";

export interface RunStep {
  readonly name: string;
  readonly status: Status;
  readonly logs: readonly string[];
}

export interface Run {
  readonly id: number;
  readonly workflow: string;
  readonly event: string;
  readonly commit: string;
  readonly conclusion: Status;
  readonly error: string;
  readonly steps: readonly RunStep[];
}

/** Reads the records; an author may have seeded the list with anything. */
export function runsOf(json: string): Run[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) return [];
  return list.flatMap((record: unknown, index): Run[] => {
    if (typeof record !== "object" || record === null) return [];
    const run = record as Record<string, unknown>;
    const steps = Array.isArray(run["steps"]) ? (run["steps"] as unknown[]) : [];
    return [{
      id: index + 1,
      workflow: text(run["workflow"]),
      event: text(run["event"]),
      commit: text(run["commit"]),
      conclusion: status(run["conclusion"]),
      error: text(run["error"]),
      steps: steps.map((entry) => {
        const step = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
        const logs = Array.isArray(step["logs"]) ? step["logs"].map(text) : [];
        return { name: text(step["name"]), status: status(step["status"]), logs };
      }),
    }];
  });
}

/** A run at each moment of its replay, from queued to its conclusion. */
export function frames(run: Run): Run[] {
  const at = (conclusion: Status, reached: number): Run => ({
    ...run,
    conclusion,
    error: "",
    steps: run.steps.map((step, index) => {
      if (index < reached) return step;
      return { ...step, logs: [], status: index === reached ? "in progress" : "queued" };
    }),
  });
  const failed = run.steps.findIndex((step) => step.status === "failure");
  const last = failed < 0 ? run.steps.length : failed + 1; // after a failure nothing runs any more
  return [at("queued", -1), ...Array.from({ length: last }, (_, reached) => at("in progress", reached)), run];
}

function status(value: unknown): Status {
  return value === "failure" || value === "skipped" ? value : "success";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
