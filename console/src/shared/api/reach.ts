// One request, and what its errors say. Everything that the console sends goes through `reach`.
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly exceptionId = "",
  ) {
    super(message);
  }
}

/** Whether it may work the next time: the stack is being started again, or a proxy before it does not reach it. */
export const isTemporary = (error: unknown): boolean => error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

/** The pause before it is tried again, in milliseconds. */
export const pauseAfter = (failures: number): number => Math.min(1_000 * 2 ** Math.max(failures - 1, 0), 30_000);

const NO_CONNECTION = "The stack does not respond. Is it running?";

export async function reach(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(NO_CONNECTION, 0);
  }
}

/** The same, and a status that is not one of success is an error. */
export async function reachOk(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await reach(url, init);
  if (!response.ok) throw readError(response.status, await response.text());
  return response;
}

/** The sentence of an error. Services differ in the field that it is in. */
export function readError(status: number, text: string): ApiError {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const sentence = [body["error"], body["errorMessage"], body["message"], body["exception"]].find((each) => typeof each === "string");
    return new ApiError(String(sentence ?? text), status, String(body["exceptionId"] ?? body["requestId"] ?? ""));
  } catch {
    return new ApiError(text || `The response of the server was ${status}.`, status);
  }
}
