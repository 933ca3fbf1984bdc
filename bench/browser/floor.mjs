/* The page of the floor: hands a chosen file to floor_worker.mjs.
 *
 *     const {ms, bytes} = await window.floor({how: "slice", share: 0.5});
 */
const input = document.querySelector("input");

window.floor = (given) => new Promise((resolve, reject) => {
    const worker = new Worker("floor_worker.mjs", {type: "module"});
    worker.onmessage = ({data}) => resolve(data);
    worker.onerror = ({message}) => reject(new Error(message));
    worker.postMessage({...given, file: input.files[0]});
});
