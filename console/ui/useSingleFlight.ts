import { useRef } from 'react';

/**
 * Returns `act` so that a call while one is in progress returns that one's result and does nothing else. A request
 * shows as pending a render after it started, which is too late to stop a second Enter or tap. A call that returns a
 * promise is in progress until that settles; any other until what it started shows as pending.
 */
export function useSingleFlight<Args extends unknown[], Result>(
  act: (...args: Args) => Result,
): (...args: Args) => Result {
  const flight = useRef<{ result: Result } | null>(null);
  return (...args) => {
    if (flight.current) return flight.current.result;
    const land = () =>
      void setTimeout(() => {
        flight.current = null;
      });
    const begun = act(...args);
    // The caller gets this promise: a rejection that it doesn't handle must still be reported.
    const landing: unknown = begun instanceof Promise ? begun.finally(land) : begun;
    const result = landing as Result;
    flight.current = { result };
    if (result === begun) land();
    return result;
  };
}
