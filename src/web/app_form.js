// A form made from a tool's declared parameters. What a field does not say is left out: the server's
// default counts then.

/** The few values there are, if they are few: listed, or the steps of a small range. */
function choice(schema) {
  if (schema.multipleOf && schema.maximum / schema.multipleOf <= 10) {
    const steps = [];
    for (let value = schema.multipleOf; value < schema.maximum; value += schema.multipleOf) steps.push(value);
    return steps;
  }
  return schema.enum || schema.anyOf?.find((one) => one.enum && !schema.anyOf.some((other) => other.type === "number"))?.enum;
}

function controlOf(field) {
  const { schema } = field;
  const options = choice(schema);
  let control;
  if (options) {
    control = document.createElement("select");
    if (schema.default === undefined && !field.required) control.append(new Option("", ""));
    control.append(...options.map((value) => new Option(String(value), String(value), false, value === schema.default)));
    return control;
  }
  if (schema.anyOf?.some((one) => one.format === "binary")) {
    control = document.createElement("input");
    control.type = "file";
    return control;
  }
  if (field.name === "text") {
    control = document.createElement("textarea");
    control.rows = 2;
    return control;
  }
  control = document.createElement("input");
  if (schema.type === "boolean") {
    control.type = "checkbox";
    control.checked = schema.default === true;
  } else if (schema.type === "number" || schema.type === "integer") {
    control.type = "number";
    control.step = schema.type === "integer" ? "1" : "any";
    if (schema.minimum !== undefined) control.min = schema.minimum;
    if (schema.maximum !== undefined) control.max = schema.maximum;
  } else if (schema.format === "password") {
    control.type = "password";
    control.autocomplete = "off";
  } else if (field.name === "color") {
    control.type = "color";
  }
  if (control.type === "color") control.value = schema.default;
  else if (schema.default !== undefined) control.placeholder = String(schema.default);
  else if (schema.examples) control.placeholder = String(schema.examples[0]);
  if (schema.maxLength) control.maxLength = schema.maxLength;
  return control;
}

function rowOf(field) {
  const row = document.createElement("div");
  const label = document.createElement("label");
  const hint = document.createElement("p");
  const error = document.createElement("p");
  const control = controlOf(field);
  row.className = "field";
  control.id = `field-${field.name}`;
  control.name = field.name;
  control.required = field.required;
  label.htmlFor = control.id;
  label.textContent = field.label + (field.required ? " (needed)" : "");
  hint.className = "hint";
  hint.id = `${control.id}-hint`;
  hint.textContent = field.schema.description || "";
  error.className = "error";
  error.id = `${control.id}-error`;
  error.setAttribute("role", "alert");
  control.setAttribute("aria-describedby", `${hint.id} ${error.id}`);
  if (control.type === "checkbox") {
    label.prepend(control, " ");
    row.append(label, hint, error);
  } else {
    row.append(label, control, hint, error);
  }
  return row;
}

/** Fills the form of a tool; what was typed for a field of the same name stays. */
export function drawForm(form, tool, submitText) {
  const kept = new Map([...form.elements].filter((e) => e.name && e.type !== "file" && e.type !== "checkbox")
    .map((e) => [e.name, e.value]));
  const more = document.createElement("details");
  const summary = document.createElement("summary");
  const actions = document.createElement("div");
  const submit = document.createElement("button");
  const problem = document.createElement("p");
  summary.textContent = "More choices";
  more.append(summary, ...tool.folded.map(rowOf));
  actions.className = "actions";
  submit.id = "submit";
  submit.textContent = submitText;
  problem.className = "error";
  problem.id = "form-error";
  problem.setAttribute("role", "alert");
  actions.append(submit);
  form.replaceChildren(...tool.shown.map(rowOf), ...(tool.folded.length ? [more] : []), problem, actions);
  for (const control of form.elements)
    if (kept.has(control.name) && control.tagName !== "SELECT" && control.type !== "file" && control.type !== "color")
      control.value = kept.get(control.name);
}

/** Shows an error of the server, or of a field that lacks something: at its field, if it names one. */
export function showError(form, message, fieldName) {
  const control = fieldName && form.elements.namedItem(fieldName);
  const place = (control && document.getElementById(`${control.id}-error`)) || document.getElementById("form-error");
  place.textContent = message;
  if (!control) return;
  control.setAttribute("aria-invalid", "true");
  const folded = control.closest("details");
  if (folded) folded.open = true;
  control.focus();
}

export function clearErrors(form) {
  for (const place of form.querySelectorAll(".error")) place.textContent = "";
  for (const control of form.elements) control.removeAttribute("aria-invalid");
}

/** The name of the first field whose value cannot be, after telling so; or undefined. */
export function firstInvalid(form) {
  for (const control of form.elements)
    if (control.name && !control.checkValidity()) {
      showError(form, control.validationMessage, control.name);
      return control.name;
    }
  return undefined;
}

/** Appends what the form says to the parts of a submission. */
export function putFields(form, tool, data) {
  for (const { name, schema } of [...tool.shown, ...tool.folded]) {
    const control = form.elements.namedItem(name);
    if (control.type === "file") {
      if (control.files.length) data.append(name, control.files[0]);
    } else if (control.type === "checkbox") {
      if (control.checked !== (schema.default === true)) data.append(name, String(control.checked));
    } else if (control.value !== "" && control.value !== String(schema.default)) {
      data.append(name, control.value);
    }
  }
}
