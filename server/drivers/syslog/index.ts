export interface SyslogServer {
  host: string;
  port: number;
  /**
   * `ca`: PEM of the authorities that may have signed its certificate; null for the system's trusted ones.
   * `client`: certificate and key in PEM for a server that requests a certificate.
   */
  tls: { ca: string | null; client?: { cert: string; key: string } | null } | null;
}

/** Sends messages to the operator's syslog servers. */
export interface SyslogDriver {
  /**
   * Sends these frames on a separate connection, and resolves once the server has closed it after the last one.
   * Syslog has no acknowledgments: that is the only sign that the server read everything. Throws OutboundError
   * of drivers/net.
   */
  send(
    server: SyslogServer,
    frames: Uint8Array,
    options: { timeout_ms: number; signal?: AbortSignal | undefined },
  ): Promise<void>;
}
