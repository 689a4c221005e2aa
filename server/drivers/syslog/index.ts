export interface SyslogServer {
  host: string;
  port: number;
  /**
   * `ca`: PEM of the authorities that may have signed its certificate; null for those that the system trusts. `client`: what
   * is presented to a server that asks for a certificate, in PEM.
   */
  tls: { ca: string | null; client?: { cert: string; key: string } | null } | null;
}

/** Sends messages to syslog servers of the operator. */
export interface SyslogDriver {
  /**
   * Sends these frames on a connection of their own, and resolves once the server has closed it after the last one.
   * Syslog has no acknowledgments: that is the only sign that the server read everything. Throws OutboundError of
   * drivers/net.
   */
  send(
    server: SyslogServer,
    frames: Uint8Array,
    options: { timeout_ms: number; signal?: AbortSignal | undefined },
  ): Promise<void>;
}
