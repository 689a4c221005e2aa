/** A use case: who needs it, a deployable Compose file, and what the app's visitors can verify. */
export interface UseCase {
  slug: string;
  title: string;
  /** One sentence. */
  summary: string;
  /** One paragraph each: the problem with an example, then how a confidential VM changes it. */
  problem: string;
  approach: string;
  compose: string;
  /** Names of the secrets used in the Compose file. */
  secrets: string[];
  /** What the Compose file does, and which requests to send. */
  usage: string;
  /** Commands against the deployed app. */
  example: string;
  verify: string[];
  /** What the evidence doesn't prove. */
  limits: string[];
}
