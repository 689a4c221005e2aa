/** Where error and trace envelopes go that browsers sent through POST /monitoring. */
export interface ErrorSink {
  /** `envelope` is passed on byte for byte. Throws when the service does not take it. */
  forward(target: { org: string; project: string; region: string | null }, envelope: Buffer): Promise<void>;
}
