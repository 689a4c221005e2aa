/** A use case: who needs it, a Compose file that deploys as it is, and what a visitor of the app can verify. */
export interface UseCase {
  slug: string;
  title: string;
  /** One sentence. */
  summary: string;
  /** Each a paragraph: the problem with an example, then how a confidential VM changes it. */
  problem: string;
  approach: string;
  compose: string;
  /** Names of the secrets that the Compose file reads. */
  secrets: string[];
  /** What the Compose file does, and what to send it. */
  usage: string;
  /** Commands against the deployed app. */
  example: string;
  verify: string[];
  /** What the evidence doesn't prove. */
  limits: string[];
}
