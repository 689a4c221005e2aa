/** The program's log for its operator: JSON lines on standard output. Tenants see only their CVM's log. */
export function say(level: 'info' | 'warn' | 'error', msg: string, more: Record<string, unknown> = {}): void {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), name: 'teepod', msg, ...more })}\n`,
  );
}
