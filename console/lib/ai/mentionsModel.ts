/** Whether a Compose file may serve a model, by an option of the engines. What it serves, `servedModel` says. */
export const mentionsModel = (compose: string): boolean => /--(?:served-model-name|alias)\b/.test(compose);
