/* info.c - what a set is, how full it is, and its bits */
#include "wasm/web.h"

const char *WEB_CALL(web_info_names)(void)
{
    return FIGURES_INFO(WEB_NAME) "seed_count ";
}

int WEB_CALL(web_info)(const seenset *set)
{
    seenset_info from = {0};
    int error = seenset_get_info(set, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_INFO(WEB_STORE)
    *next = from.seed_count;
    return error;
}

const char *WEB_CALL(web_table_info_names)(void)
{
    return FIGURES_TABLE(WEB_NAME);
}

int WEB_CALL(web_table_info)(const seenset *set, uint32_t number)
{
    seenset_table_info from = {0};
    int error = seenset_get_table_info(set, number, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_TABLE(WEB_STORE)
    return error;
}

const char *WEB_CALL(web_estimate_names)(void)
{
    return FIGURES_ESTIMATE(WEB_NAME);
}

int WEB_CALL(web_estimate)(const seenset *set)
{
    seenset_estimate from = {0};
    int error = seenset_get_estimate(set, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_ESTIMATE(WEB_STORE)
    return error;
}

const char *WEB_CALL(web_stats_names)(void)
{
    return FIGURES_STATS(WEB_NAME);
}

int WEB_CALL(web_stats)(const seenset *set)
{
    seenset_stats from = {0};
    int error = seenset_get_stats(set, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_STATS(WEB_STORE)
    return error;
}

const char *WEB_CALL(web_uniformity_names)(void)
{
    return FIGURES_UNIFORMITY(WEB_NAME);
}

int WEB_CALL(web_uniformity)(const seenset *set)
{
    seenset_uniformity from = {0};
    int error = seenset_get_uniformity(set, &from, sizeof from);
    double *next = web_numbers;
    FIGURES_UNIFORMITY(WEB_STORE)
    return error;
}
