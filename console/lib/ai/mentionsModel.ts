/** Whether a Compose file may serve a model, judging by the engines' options. `servedModel` returns the model. */
export const mentionsModel = (compose: string): boolean => /--(?:served-model-name|alias)\b/.test(compose);
