/** Destination for error and trace envelopes that browsers send through POST /monitoring. */
export interface ErrorSink {
  /** Forwards `envelope` byte for byte. Throws if the service rejects it. */
  forward(target: { org: string; project: string; region: string | null }, envelope: Buffer): Promise<void>;
}
