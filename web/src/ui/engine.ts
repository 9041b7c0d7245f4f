// The player module in the page: loading it, calling it, starting it anew when it dies.

import { Bridge, type GoRuntime } from "../../../wasm/player/bridge.mjs";
import type { ActKind, Boot, Outcome, Waiting } from "../core/bridge.ts";
import { runsOf, type Run } from "../core/run.ts";

// wasm_exec.js defines Go. The player stands beside it for who tests or embeds the page.
const page = globalThis as unknown as { Go: new () => GoRuntime; asz?: Bridge };

export class Engine {
  private player: Bridge | null = null;

  private constructor(private readonly module: WebAssembly.Module, private readonly lab: Uint8Array) {}

  /** Fetches the module and the compiled lab. It does not start them. */
  static async load(playerUrl: string, labUrl: string): Promise<Engine> {
    const lab = fetched(labUrl).then((response) => response.arrayBuffer());
    const module = compile(await fetched(playerUrl));
    return new Engine(await module, new Uint8Array(await lab));
  }

  /** Starts a new instance with the lab at its beginning. Throws when the lab is no lab. */
  async start(): Promise<Boot> {
    this.player = page.asz = await Bridge.start(page.Go, this.module);
    return JSON.parse(this.player.boot(this.lab)) as Boot;
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

  private ask(question: (player: Bridge) => string): Outcome {
    return JSON.parse(this.say(question)) as Outcome;
  }

  private say(question: (player: Bridge) => string): string {
    if (!this.player) throw new Error("The simulator is not running.");
    try {
      return question(this.player);
    } catch (error) {
      this.player = null;
      throw error;
    }
  }
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
