// Which steps are done. A step once done stays done: going back in the terminal does not undo what was learnt.

export interface StepPlace {
  readonly id: string;
  readonly section: string;
}

export class Progress {
  private readonly done = new Set<string>();

  constructor(private readonly steps: readonly StepPlace[], stored: readonly string[] = []) {
    this.complete(stored);
  }

  /** Marks steps as done; true when one was not before. */
  complete(ids: readonly string[]): boolean {
    const before = this.done.size;
    for (const id of ids) if (this.steps.some((step) => step.id === id)) this.done.add(id);
    return this.done.size > before;
  }

  clear(): void {
    this.done.clear();
  }

  has(id: string): boolean {
    return this.done.has(id);
  }

  get list(): readonly string[] {
    return [...this.done];
  }

  /** How many of a section's steps, or of all, are done. */
  count(section?: string): { readonly done: number; readonly of: number } {
    const steps = this.steps.filter((step) => section === undefined || step.section === section);
    return { done: steps.filter((step) => this.done.has(step.id)).length, of: steps.length };
  }
}
