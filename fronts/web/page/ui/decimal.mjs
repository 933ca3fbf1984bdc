/*
 * decimal.mjs - numbers as text, digit for digit as printf writes them.
 *
 * toFixed and toPrecision round a tie away from 0, and C's printf to the even
 * digit: 9.625 is 9.63 here and 9.62 there. So a double is taken for what it
 * is, an integer times a power of two, and rounded with whole numbers.
 */

/* The double as sign, integer, power of two. */
function parts(x) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0);
    const exponent = Number((bits >> 52n) & 0x7ffn);
    const fraction = bits & ((1n << 52n) - 1n);
    return {
        sign: bits >> 63n ? '-' : '',
        integer: exponent === 0 ? fraction : fraction | (1n << 52n),
        power: Math.max(exponent, 1) - 1075,
    };
}

/* Rounds up / down to the nearest whole number, a tie to the even one. */
function divide(up, down) {
    const whole = up / down;
    const twice = (up % down) * 2n;
    return twice > down || (twice === down && whole % 2n === 1n)
        ? whole + 1n : whole;
}

/* |x| times 10^digits, rounded. */
function scaled(x, digits) {
    const {integer, power} = parts(x);
    let up = integer, down = 1n;
    if (power > 0) up <<= BigInt(power);
    else down <<= BigInt(-power);
    if (digits > 0) up *= 10n ** BigInt(digits);
    else down *= 10n ** BigInt(-digits);
    return divide(up, down);
}

function special(x) {
    if (Number.isNaN(x)) return 'nan';
    return x > 0 ? 'inf' : '-inf';
}

/** %.{digits}f @param {number} x @param {number} digits */
export function fixed(x, digits) {
    if (!Number.isFinite(x)) return special(x);
    const text = scaled(x, digits).toString().padStart(digits + 1, '0');
    const whole = text.slice(0, text.length - digits);
    return parts(x).sign + whole +
        (digits > 0 ? `.${text.slice(text.length - digits)}` : '');
}

/* x as digits, the first of which stands for 10^power. */
function significant(x, digits) {
    if (x === 0) return {text: '0'.repeat(digits), power: 0};
    let power = Math.floor(Math.log10(Math.abs(x)));
    for (;;) {
        const text = scaled(x, digits - 1 - power).toString();
        if (text.length === digits) return {text, power};
        power += text.length > digits ? 1 : -1;
    }
}

function exponent(power) {
    const size = String(Math.abs(power)).padStart(2, '0');
    return `e${power < 0 ? '-' : '+'}${size}`;
}

/** %.{digits}e @param {number} x @param {number} digits */
export function exponential(x, digits) {
    if (!Number.isFinite(x)) return special(x);
    const {text, power} = significant(x, digits + 1);
    return parts(x).sign + text[0] + (digits > 0 ? `.${text.slice(1)}` : '') +
        exponent(power);
}

/** %.{digits}g @param {number} x @param {number} digits */
export function general(x, digits) {
    if (!Number.isFinite(x)) return special(x);
    const {text, power} = significant(x, digits);
    const cut = number => number.includes('.')
        ? number.replace(/\.?0+$/, '') : number;
    if (power >= -4 && power < digits)
        return cut(fixed(x, digits - 1 - power));
    return parts(x).sign + cut(`${text[0]}.${text.slice(1)}`) + exponent(power);
}
