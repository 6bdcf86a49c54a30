// Requests to the server that this page is from. An error is the sentence that the server says.

export async function get(path) {
  return answered(await fetch(`/api/v1/${path}`));
}

export async function send(path, body, method = "POST") {
  const headers = { "Content-Type": "application/json" };
  return answered(await fetch(`/api/v1/${path}`, { method, headers, body: JSON.stringify(body) }));
}

async function answered(response) {
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(told.detail || `The server answered ${response.status}.`);
  return told;
}

export function thumb(id) {
  return `/api/v1/pictures/${id}/thumb`;
}

export function full(id) {
  return `/api/v1/pictures/${id}/full`;
}
