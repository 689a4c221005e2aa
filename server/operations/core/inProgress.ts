import { Problem } from '../../domain/core/problem';

/** Limits this process's concurrent requests that wait for a team's own program, whose response time is unbounded. */
export class InProgress {
  readonly #of = new Map<number, number>();

  /** @param message error message above the limit */
  constructor(
    readonly most: { team: number; all: number },
    readonly message: string,
  ) {}

  /** @returns a function to call when the request is done. @throws RATE_LIMITED */
  enter(team_id: number): () => void {
    const before = this.#of.get(team_id) ?? 0;
    const all = [...this.#of.values()].reduce((sum, count) => sum + count, 0);
    if (before >= this.most.team || all >= this.most.all)
      throw new Problem('RATE_LIMITED', { message: this.message, retryAfter: 10 });
    this.#of.set(team_id, before + 1);
    return () => {
      const left = (this.#of.get(team_id) ?? 1) - 1;
      if (left === 0) this.#of.delete(team_id);
      else this.#of.set(team_id, left);
    };
  }
}
