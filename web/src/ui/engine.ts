// The player module in the page: loading it, calling it, starting it anew when it dies.

import type { ActKind, Boot, Outcome, Player, Waiting } from "../core/bridge.ts";
import { runsOf, type Run } from "../core/run.ts";

/** What wasm_exec.js puts into the page. */
interface GoRuntime {
  readonly importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const page = globalThis as unknown as { Go: new () => GoRuntime; asz?: Player };

export class Engine {
  private player: Player | null = null;

  private constructor(private readonly module: WebAssembly.Module, private readonly lab: Uint8Array) {}

  /** Fetches the module and the compiled lab. It does not start them. */
  static async load(playerUrl: string, labUrl: string): Promise<Engine> {
    const lab = fetched(labUrl).then((response) => response.arrayBuffer());
    const module = compile(await fetched(playerUrl));
    return new Engine(await module, new Uint8Array(await lab));
  }

  /** Starts a new instance with the lab at its beginning. Throws when the lab is no lab. */
  async start(): Promise<Boot> {
    const go = new page.Go();
    const instance = await WebAssembly.instantiate(this.module, go.importObject);
    delete page.asz;
    // run goes on until the program ends; the module has set globalThis.asz when it first waits.
    go.run(instance).catch(() => {});
    this.player = registered();
    return JSON.parse(text(this.player.boot(this.lab))) as Boot;
  }

  /** Lets the lab act. Any exception means that the instance is dead: start again. */
  act(kind: ActKind, terminal: string, what: string): Outcome {
    return this.ask((player) => player.act(kind, terminal, what));
  }

  /** What a terminal waits for. The way to ask is to go back to where the lab is. */
  waiting(terminal: string): Waiting {
    return this.ask((player) => player.restore(player.mark(), terminal));
  }

  runs(): Run[] {
    return runsOf(this.say((player) => player.runs()));
  }

  private ask(question: (player: Player) => unknown): Outcome {
    return JSON.parse(this.say(question)) as Outcome;
  }

  private say(question: (player: Player) => unknown): string {
    if (!this.player) throw new Error("The simulator is not running.");
    try {
      return text(question(this.player));
    } catch (error) {
      this.player = null;
      throw error;
    }
  }
}

function registered(): Player {
  if (!page.asz) throw new Error("The simulator did not start.");
  return page.asz;
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status}.`);
  return response;
}

// Streaming needs the right content type, which not every static host sends.
async function compile(response: Response): Promise<WebAssembly.Module> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

// A Go function cannot throw: it returns an Error. After a crash of the Go program it returns undefined.
function text(answer: unknown): string {
  if (typeof answer === "string") return answer;
  throw answer instanceof Error ? answer : new Error("The simulator stopped.");
}
