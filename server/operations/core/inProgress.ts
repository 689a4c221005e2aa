import { Problem } from '../../domain/core/problem';

/** Requests in progress in this process that wait for a team's own program, which decides how long it takes. */
export class InProgress {
  readonly #of = new Map<number, number>();

  /** @param message of the problem when there are too many */
  constructor(
    readonly most: { team: number; all: number },
    readonly message: string,
  ) {}

  /** @returns what to call when the request is done. @throws RATE_LIMITED */
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
